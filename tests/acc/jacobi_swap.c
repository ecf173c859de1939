#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define IDX(i, j) ((i) * n + (j))

int main(void) {
  int n = 24, iters = 40;
  double *a = (double *)calloc(n * n, sizeof(double));
  double *b = (double *)calloc(n * n, sizeof(double));
  for (int i = 0; i < n; i++) a[IDX(i, 0)] = b[IDX(i, 0)] = 1.0;
  double err = 0.0;
#pragma acc data copy(a[0:n*n]) create(b[0:n*n])
  for (int it = 0; it < iters; it++) {
    err = 0.0;
#pragma acc parallel loop reduction(max:err) collapse(2)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        b[IDX(i, j)] = 0.25 * (a[IDX(i - 1, j)] + a[IDX(i + 1, j)] + a[IDX(i, j - 1)] + a[IDX(i, j + 1)]);
        err = fmax(err, fabs(b[IDX(i, j)] - a[IDX(i, j)]));
      }
    double *t = a;
    a = b;
    b = t;
  }
  printf("%.9f %.9f\n", err, a[IDX(n / 2, 3)]);
  free(a);
  free(b);
  return 0;
}
