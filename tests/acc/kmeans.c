#include <stdio.h>
#include <stdlib.h>
#include <float.h>

#define K 5
#define DIM 2

/* Nearest centres and their sums: several atomics in one loop. */
int main(void) {
  int n = 1500;
  double *pts = (double *)malloc(n * DIM * sizeof(double));
  int *label = (int *)malloc(n * sizeof(int));
  double centre[K][DIM], sum[K][DIM];
  int count[K];
  srand(11);
  for (int i = 0; i < n * DIM; i++) pts[i] = (double)rand() / RAND_MAX;
  for (int k = 0; k < K; k++)
    for (int d = 0; d < DIM; d++) centre[k][d] = pts[k * DIM + d];
  for (int iter = 0; iter < 6; iter++) {
    for (int k = 0; k < K; k++) {
      count[k] = 0;
      for (int d = 0; d < DIM; d++) sum[k][d] = 0.0;
    }
#pragma acc parallel loop copyin(pts[0:n*DIM], centre) copyout(label[0:n])
    for (int i = 0; i < n; i++) {
      double best = DBL_MAX;
      int who = 0;
      for (int k = 0; k < K; k++) {
        double d2 = 0.0;
        for (int d = 0; d < DIM; d++) {
          double t = pts[i * DIM + d] - centre[k][d];
          d2 += t * t;
        }
        if (d2 < best) {
          best = d2;
          who = k;
        }
      }
      label[i] = who;
    }
#pragma acc parallel loop copyin(pts[0:n*DIM], label[0:n]) copy(sum, count)
    for (int i = 0; i < n; i++) {
#pragma acc atomic
      count[label[i]]++;
      for (int d = 0; d < DIM; d++) {
#pragma acc atomic
        sum[label[i]][d] += pts[i * DIM + d];
      }
    }
    for (int k = 0; k < K; k++)
      if (count[k] > 0)
        for (int d = 0; d < DIM; d++) centre[k][d] = sum[k][d] / count[k];
  }
  for (int k = 0; k < K; k++) printf("%.6f %.6f %d\n", centre[k][0], centre[k][1], count[k]);
  free(pts);
  free(label);
  return 0;
}
