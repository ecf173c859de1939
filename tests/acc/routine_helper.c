#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#pragma acc routine seq
static int bucket(double x, double lo, double hi, int n) {
  int b = (int)floor((x - lo) / (hi - lo) * n);
  if (b < 0)
    return 0;
  if (b >= n)
    return n - 1;
  return b;
}

#pragma acc routine seq
double gauss(unsigned int *state) {
  double s = 0.0;
  for (int i = 0; i < 12; i++) {
    *state = *state * 1103515245u + 12345u;
    s += (*state >> 8) / 16777216.0;
  }
  return s - 6.0;
}

int main(void) {
  int n = 8192, bins = 21;
  double *x = malloc(n * sizeof *x);
  int *h = calloc(bins, sizeof *h);
  unsigned int state = 12345;
  for (int i = 0; i < n; i++)
    x[i] = gauss(&state);
#pragma acc parallel loop copyin(x[0:n]) copy(h[0:bins])
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    h[bucket(x[i], -4.0, 4.0, bins)] += 1;
  }
  int total = 0;
  for (int b = 0; b < bins; b++) {
    printf("%+6.2f %d\n", -4.0 + 8.0 * b / bins, h[b]);
    total += h[b];
  }
  free(x);
  free(h);
  return total != n;
}
