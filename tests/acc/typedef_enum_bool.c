#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>

typedef unsigned int uint;
typedef enum { LOW, MID, HIGH, LEVELS } Level;
typedef float real;

static Level level(real v) {
  if (v < 0.3f) return LOW;
  return v < 0.7f ? MID : HIGH;
}

static bool odd(uint x) { return x & 1; }

int main(void) {
  uint n = 900, hist[LEVELS] = {0}, odds = 0;
  real *v = (real *)malloc(sizeof(real) * n);
  for (uint i = 0; i < n; i++) {
    v[i] = (real)(i % 97) / 97;
    if (odd(i)) odds++;
  }
#pragma acc parallel loop copyin(v[:n]) copy(hist)
  for (uint i = 0; i < n; i++) {
#pragma acc atomic update
    hist[level(v[i])]++;
  }
  bool ok = hist[LOW] + hist[MID] + hist[HIGH] == n;
  printf("%u %u %u %u %d\n", hist[LOW], hist[MID], hist[HIGH], odds, ok);
  free(v);
  return ok ? 0 : 1;
}
