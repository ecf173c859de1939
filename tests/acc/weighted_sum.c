#include <stdio.h>
#include <stdlib.h>
#include <math.h>

/* Sums of weights per class, and the class means. */
int main(void) {
  int n = 5000, classes = 12;
  double *w = (double *)malloc(sizeof(double) * n);
  int *c = (int *)malloc(sizeof(int) * n);
  double sum[12] = {0.0};
  int count[12] = {0};
  for (int i = 0; i < n; i++) {
    w[i] = (i % 100) * 0.25;
    c[i] = (i * i + 3) % classes;
  }
#pragma acc parallel loop copyin(w[0:n], c[0:n]) copy(sum, count)
  for (int i = 0; i < n; i++) {
#pragma acc atomic
    sum[c[i]] += w[i];
#pragma acc atomic
    count[c[i]]++;
  }
  double all = 0;
  for (int k = 0; k < classes; k++) {
    double mean = count[k] > 0 ? sum[k] / count[k] : 0.0;
    printf("%d %.3f %d\n", k, mean, count[k]);
    all += sum[k];
  }
  free(w); free(c);
  return fabs(all - 61875.0) > 1e-9;
}
