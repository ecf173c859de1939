/* A sparse matrix times a vector, and the sums that a conjugate gradient step takes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  unsigned int num_rows, nnz;
  unsigned int *row_offsets, *cols;
  double *coefs;
} matrix;

typedef struct {
  unsigned int n;
  double *coefs;
} vector;

static void matvec(const matrix *A, const vector *x, vector *y) {
  unsigned int num_rows = A->num_rows;
  unsigned int *restrict row_offsets = A->row_offsets;
  unsigned int *restrict cols = A->cols;
  double *restrict Acoefs = A->coefs;
  double *restrict xcoefs = x->coefs;
  double *restrict ycoefs = y->coefs;
#pragma acc parallel loop gang present(row_offsets, cols, Acoefs, xcoefs, ycoefs)
  for (unsigned int i = 0; i < num_rows; i++) {
    double sum = 0;
    unsigned int row_start = row_offsets[i];
    unsigned int row_end = row_offsets[i + 1];
#pragma acc loop vector reduction(+ : sum)
    for (unsigned int j = row_start; j < row_end; j++) {
      unsigned int Acol = cols[j];
      sum += Acoefs[j] * xcoefs[Acol];
    }
    ycoefs[i] = sum;
  }
}

static double dot(const vector *x, const vector *y) {
  double sum = 0;
  unsigned int n = x->n;
  double *restrict xcoefs = x->coefs;
  double *restrict ycoefs = y->coefs;
#pragma acc parallel loop reduction(+ : sum)
  for (unsigned int i = 0; i < n; i++)
    sum += xcoefs[i] * ycoefs[i];
  return sum;
}

static void waxpby(double alpha, const vector *x, double beta, vector *w) {
  unsigned int n = x->n;
  double *restrict xcoefs = x->coefs;
  double *restrict wcoefs = w->coefs;
#pragma acc kernels loop independent
  for (unsigned int i = 0; i < n; i++)
    wcoefs[i] = alpha * xcoefs[i] + beta * wcoefs[i];
}

int main(void) {
  unsigned int n = 50;
  matrix A;
  vector x, y;
  A.num_rows = n;
  A.nnz = 3 * n - 2;
  A.row_offsets = malloc((n + 1) * sizeof(unsigned int));
  A.cols = malloc(A.nnz * sizeof(unsigned int));
  A.coefs = malloc(A.nnz * sizeof(double));
  x.n = y.n = n;
  x.coefs = malloc(n * sizeof(double));
  y.coefs = malloc(n * sizeof(double));
  unsigned int at = 0;
  for (unsigned int i = 0; i < n; i++) {
    A.row_offsets[i] = at;
    for (int d = -1; d <= 1; d++) {
      int col = (int)i + d;
      if (col >= 0 && col < (int)n) {
        A.cols[at] = col;
        A.coefs[at] = d == 0 ? 2.0 : -1.0;
        at++;
      }
    }
    x.coefs[i] = i % 4;
    y.coefs[i] = 0;
  }
  A.row_offsets[n] = at;
  matvec(&A, &x, &y);
  waxpby(0.5, &x, 2.0, &y);
  printf("%g %g %g\n", dot(&x, &y), sqrt(dot(&y, &y)), y.coefs[n - 1]);
  free(A.row_offsets);
  free(A.cols);
  free(A.coefs);
  free(x.coefs);
  free(y.coefs);
  return 0;
}
