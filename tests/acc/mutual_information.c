#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define BINS 32

/* Mutual information from a flat joint histogram of doubles. */
static double entropy(const double *p, int n) {
  double h = 0.0;
  for (int i = 0; i < n; i++)
    if (p[i] > 0.0)
      h -= p[i] * log(p[i]) / log(2.0);
  return h;
}

int main(void) {
  int n = 10000;
  float *x = (float *)malloc(n * sizeof(float));
  float *y = (float *)malloc(n * sizeof(float));
  double *pxy = (double *)calloc(BINS * BINS, sizeof(double));
  double *px = (double *)calloc(BINS, sizeof(double));
  double *py = (double *)calloc(BINS, sizeof(double));
  srand(1);
  for (int i = 0; i < n; i++) {
    x[i] = (float)rand() / RAND_MAX;
    y[i] = 0.5f * x[i] + 0.5f * ((float)rand() / RAND_MAX);
  }
  #pragma acc data copyin(x[0:n], y[0:n]) copy(pxy[0:BINS*BINS], px[0:BINS], py[0:BINS])
  {
    #pragma acc parallel loop
    for (int i = 0; i < n; i++) {
      int bx = (int)(x[i] * BINS);
      int by = (int)(y[i] * BINS);
      if (bx >= BINS) bx = BINS - 1;
      if (by >= BINS) by = BINS - 1;
      #pragma acc atomic update
      pxy[bx * BINS + by] += 1.0;
      #pragma acc atomic update
      px[bx] += 1.0;
      #pragma acc atomic update
      py[by] += 1.0;
    }
  }
  for (int i = 0; i < BINS * BINS; i++) pxy[i] /= n;
  for (int i = 0; i < BINS; i++) { px[i] /= n; py[i] /= n; }
  double mi = entropy(px, BINS) + entropy(py, BINS) - entropy(pxy, BINS * BINS);
  printf("MI = %.9f bits\n", mi);
  free(x); free(y); free(pxy); free(px); free(py);
  return mi < 0.0;
}
