#include <stdio.h>
#include <stdlib.h>

#define M 20
#define N 30

static double a[M][N], v[N], out[M];

static void fill(double m[][N], int rows) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < N; j++)
      m[i][j] = i - 0.5 * j;
}

static void multiply(int rows, int cols, double m[rows][cols], double x[cols], double y[rows]) {
  for (int i = 0; i < rows; i++) {
    y[i] = 0.0;
    for (int j = 0; j < cols; j++)
      y[i] += m[i][j] * x[j];
  }
}

int main(void) {
  fill(a, M);
  for (int j = 0; j < N; j++) v[j] = j % 3;
#pragma acc parallel loop gang copyin(a, v) copyout(out)
  for (int i = 0; i < M; i++) {
    double s = 0.0;
#pragma acc loop vector reduction(+:s)
    for (int j = 0; j < N; j++) s += a[i][j] * v[j];
    out[i] = s;
  }
  int r = 4, c = 3;
  double m[r][c], x[c], y[r];
  for (int i = 0; i < r; i++)
    for (int j = 0; j < c; j++) m[i][j] = i * c + j;
  for (int j = 0; j < c; j++) x[j] = 1.0;
  multiply(r, c, m, x, y);
  double **rows = (double **)malloc(3 * sizeof(double *));
  for (int i = 0; i < 3; i++) {
    rows[i] = (double *)malloc(4 * sizeof(double));
    for (int j = 0; j < 4; j++) rows[i][j] = i + 10 * j;
  }
  double t = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) t += rows[i][j];
  printf("%.1f %.1f %.1f %.1f\n", out[0], out[M - 1], y[3], t);
  for (int i = 0; i < 3; i++) free(rows[i]);
  free(rows);
  return 0;
}
