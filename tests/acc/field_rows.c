/* Structs with a table of rows in the block of the first row. */
#include <stdio.h>
#include <stdlib.h>
typedef struct { int n, m; double **u; float **w; } Field;
static Field *make(int n, int m) {
  Field *f = malloc(sizeof *f);
  f->n = n;
  f->m = m;
  f->u = (double **)malloc(n * sizeof(double *));
  f->u[0] = (double *)malloc((size_t)n * m * sizeof(double));
  if (f->u[0] == NULL) exit(1);
  for (int i = 1; i < n; i++) f->u[i] = f->u[0] + (size_t)i * m;
  f->w = malloc(n * sizeof *f->w);
  f->w[0] = calloc(n * m, sizeof(float));
  for (int i = 1; i < n; i++) f->w[i] = f->w[i - 1] + m;
  return f;
}
static double row_sum(const double *r, int m) { double s = 0; for (int j = 0; j < m; j++) s += r[j]; return s; }
static void smooth(Field *f) {
#pragma acc parallel loop collapse(2)
  for (int i = 1; i < f->n - 1; i++)
    for (int j = 1; j < f->m - 1; j++)
      f->w[i][j] = (float)(0.25 * (f->u[i - 1][j] + f->u[i + 1][j] + f->u[i][j - 1] + f->u[i][j + 1]));
}
int main(void) {
  Field *f = make(5, 7);
  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < f->m; j++) f->u[i][j] = i * 10 + j;
  f->u[0][3] = -1;
  smooth(f);
  double s = 0;
  for (int i = 0; i < f->n; i++) s += row_sum(f->u[i], f->m) * (i + 1);
  printf("%g %g %g\n", s, f->w[2][3], f->w[1][3]);
  free(f->u[0]);
  free(f->u);
  free(f->w[0]);
  free(f->w);
  free(f);
  return 0;
}
