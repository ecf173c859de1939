/* Numbers read from text, in several bases, as programs read their arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *size = argc > 1 ? argv[1] : "0x40", *bins = argc > 2 ? argv[2] : "010";
  int n = (int)strtol(size, NULL, 0), b = (int)strtol(bins, NULL, 0), h[64];
  long mask = strtol("ff", NULL, 16), bits = strtol("-1011", NULL, 2);
  memset(h, 0, sizeof h);
#pragma acc parallel loop copy(h)
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    h[i * 7 % b] += (int)(i & mask);
  }
  printf("%d %d %ld %ld %g\n", n, b, mask, bits, atof(" 2.5e1x"));
  for (int i = 0; i < b; i++)
    printf("%d%c", h[i], i + 1 < b ? ' ' : '\n');
  return n != 64 || b != 8;
}
