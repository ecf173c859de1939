#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows in one block, which is also passed, copied and cleared as a whole. */
static double **alloc_2d(int n, int m) {
  double *data = (double *)malloc(n * m * sizeof(double));
  double **rows = (double **)malloc(n * sizeof(double *));
  for (int i = 0; i < n; i++) rows[i] = &(data[m * i]);
  return rows;
}

static void free_2d(double **a) {
  free(a[0]);
  free(a);
}

static float **alloc_from_first(int r, int c) {
  float **a = malloc(r * sizeof(float *));
  a[0] = malloc(r * c * sizeof(float));
  for (int i = 1; i < r; i++) a[i] = a[0] + i * c;
  return a;
}

static void scale(float *x, int n, float f) {
#pragma acc parallel loop copy(x[0:n])
  for (int i = 0; i < n; i++) x[i] *= f;
}

static float distance(float *a, float *b, int n) {
  float d = 0;
  for (int i = 0; i < n; i++) d += (a[i] - b[i]) * (a[i] - b[i]);
  return d;
}

static double dot(const double *x, const double *y, int n) {
  double s = 0;
#pragma acc parallel loop reduction(+ : s) copyin(x[0:n], y[0:n])
  for (int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}

static void usage(const char *name) {
  fprintf(stderr, "usage: %s [rows]\n", name);
  exit(1);
}

int main(int argc, char **argv) {
  const char *names[2] = {"dots", "sum"};
  int n = 16, m = 24;
  if (argc > 2) usage(argv[0]);
  double **a = alloc_2d(n, m);
  double **b = alloc_2d(n, m);
  memset(a[0], 0, n * m * sizeof(double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = i * 0.5 + j;
  memcpy(b[0], a[0], n * m * sizeof(double));
#pragma acc parallel loop collapse(2)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
  printf("%s %f %f\n", names[0], dot(a[0], b[0], n * m), dot(&a[0][0] + m, *b + m, m));
  free_2d(a);
  free_2d(b);
  int r = 10, c = 14;
  float **p = alloc_from_first(r, c), **q = alloc_from_first(r, c);
  for (int i = 0; i < r; i++)
    for (int j = 0; j < c; j++) p[i][j] = i + 0.1f * j;
  scale(p[0], r * c, 2.0f);
  memcpy(q[0], p[0], r * c * sizeof(float));
  if (r > 3) scale(&q[0][0], r * c, 0.5f);
  float s = 0;
  for (int i = 0; i < r; i++)
    for (int j = 0; j < c; j++) s += q[i][j] * i - p[i][j] * 0.1f * j;
  for (int i = 1; i < r; i += 4) s += distance(q[0], q[i], c);
  printf("%s %f\n", names[1], s);
  free(p[0]);
  free(p);
  free(q[0]);
  free(q);
  return 0;
}
