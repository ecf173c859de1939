/* A dot product, a norm, the place of the largest element in one loop and in two. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 300;
  float *x = malloc(n * sizeof(float)), *y = malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) {
    x[i] = (float)((i * 29) % 97) * 0.25f;
    y[i] = (float)((i * 11) % 13) - 6.0f;
  }
  double dot = 0, norm = 0;
  float largest = -FLT_MAX, best = FLT_MAX;
  int where = -1, at = 0, hits = 0, i;
#pragma acc data copyin(x[0 : n], y[0 : n])
  {
#pragma acc parallel loop reduction(+ : dot, norm)
    for (i = 0; i < n; i++) {
      dot += (double)x[i] * y[i];
      norm += (double)x[i] * x[i];
    }
#pragma acc parallel loop reduction(max : largest)
    for (i = 0; i < n; i++)
      largest = fmaxf(largest, x[i]);
#pragma acc parallel loop reduction(+ : hits) reduction(max : where)
    for (i = 0; i < n; i++)
      if (x[i] == largest) {
        hits++;
        where = where > i ? where : i;
      }
#pragma acc kernels
    for (i = 0; i < n; i++) {
      float d = (x[i] - 3.0f) * (x[i] - 3.0f) + y[i] * y[i];
      if (d < best) {
        best = d;
        at = i;
      }
    }
  }
  printf("%.3f %.3f %g %d %d %g %d\n", dot, sqrt(norm), largest, where, hits, best, at);
  free(x);
  free(y);
  return 0;
}
