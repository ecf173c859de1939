#include <stdio.h>
#include <stdlib.h>

/* Sparse matrix by vector, coordinate format: sums into rows. */
int main(void) {
  int rows = 40, nnz = 700;
  int *r = (int *)malloc(nnz * sizeof(int)), *c = (int *)malloc(nnz * sizeof(int));
  double *v = (double *)malloc(nnz * sizeof(double));
  double *x = (double *)malloc(rows * sizeof(double)), *y = (double *)calloc(rows, sizeof(double));
  for (int i = 0; i < nnz; i++) {
    r[i] = (i * 7) % rows;
    c[i] = (i * 13 + 5) % rows;
    v[i] = (i % 9) - 4;
  }
  for (int i = 0; i < rows; i++) x[i] = i * 0.5;
#pragma acc kernels loop copyin(r[0:nnz], c[0:nnz], v[0:nnz], x[0:rows]) copy(y[0:rows])
  for (int i = 0; i < nnz; i++) {
#pragma acc atomic update
    y[r[i]] = y[r[i]] + v[i] * x[c[i]];
  }
  double s = 0;
  for (int i = 0; i < rows; i++) s += y[i] * (i + 1);
  printf("%.2f\n", s);
  free(r); free(c); free(v); free(x); free(y);
  return 0;
}
