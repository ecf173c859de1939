#include <stdio.h>

/* Levels in one global array, found by an index that another global holds, for a function that uses globals. */
#define LEVELS 3
static double r[64], u[64];
static int start[LEVELS], width[LEVELS], calls;

static void smooth(const double *from, double *to, int n) {
  calls++;
#pragma acc parallel loop copyin(from[0:n]) copy(to[0:n])
  for (int i = 1; i < n - 1; i++) to[i] += 0.25 * (from[i - 1] + from[i + 1]);
}

int main(void) {
  int at = 0;
  for (int l = 0; l < LEVELS; l++) {
    start[l] = at;
    width[l] = 8 << l;
    at += width[l];
  }
  for (int i = 0; i < 64; i++) r[i] = i % 5;
  for (int l = LEVELS - 1; l >= 0; l--) smooth(&r[start[l]], &u[start[l]], width[l]);
  smooth(r + start[1], u + start[1], width[1]);
  double s = 0;
  for (int i = 0; i < 64; i++) s += u[i] * i;
  printf("%f %d\n", s, calls);
  return 0;
}
