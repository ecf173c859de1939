#include <stdio.h>
#include <stdlib.h>
typedef struct { int rows, cols; double *data; } matrix;
static matrix *matrix_new(int r, int c) {
  matrix *m = malloc(sizeof *m);
  m->rows = r; m->cols = c;
  m->data = calloc((size_t)r * c, sizeof *m->data);
  return m;
}
static void matrix_free(matrix *m) { free(m->data); free(m); }
static void mul(const matrix *a, const matrix *b, matrix *c) {
  const double *pa = a->data, *pb = b->data;
  double *pc = c->data;
  int n = a->rows, m = b->cols, l = a->cols;
#pragma acc parallel loop collapse(2) copyin(pa[0:n*l], pb[0:l*m]) copyout(pc[0:n*m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double s = 0;
      for (int k = 0; k < l; k++) s += pa[i*l+k] * pb[k*m+j];
      pc[i*m+j] = s;
    }
}
int main(void) {
  matrix *a = matrix_new(4, 5), *b = matrix_new(5, 3), *c = matrix_new(4, 3);
  for (int i = 0; i < 20; i++) a->data[i] = i;
  for (int i = 0; i < 15; i++) b->data[i] = 15 - i;
  mul(a, b, c);
  for (int i = 0; i < c->rows; i++) { for (int j = 0; j < c->cols; j++) printf("%g ", c->data[i * c->cols + j]); printf("\n"); }
  matrix_free(a); matrix_free(b); matrix_free(c);
  return 0;
}
