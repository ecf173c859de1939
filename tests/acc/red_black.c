/* Red-black Gauss-Seidel: the points of one colour depend on those of the other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define IDX(i, j) ((i) * (n + 2) + (j))

static void sweep(double *u, const double *f, int n, double h2, int color) {
#pragma acc parallel loop present(u, f)
  for (int i = 1; i <= n; i++) {
#pragma acc loop
    for (int j = 1 + (i + color) % 2; j <= n; j += 2)
      u[IDX(i, j)] = 0.25 * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)] -
                             h2 * f[IDX(i, j)]);
  }
}

static double residual(const double *u, const double *f, int n, double h2) {
  double worst = 0.0;
#pragma acc parallel loop collapse(2) reduction(max : worst)
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++) {
      double r = (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)] - 4 * u[IDX(i, j)]) / h2 -
                 f[IDX(i, j)];
      if (fabs(r) > worst)
        worst = fabs(r);
    }
  return worst;
}

int main(void) {
  int n = 14;
  size_t size = (size_t)(n + 2) * (n + 2);
  double *u = calloc(size, sizeof(double)), *f = malloc(size * sizeof(double));
  double h2 = 1.0 / ((n + 1) * (n + 1));
  for (size_t k = 0; k < size; k++)
    f[k] = -1.0;
#pragma acc data copy(u[0 : size]) copyin(f[0 : size])
  for (int it = 0; it < 30; it++) {
    sweep(u, f, n, h2, 0);
    sweep(u, f, n, h2, 1);
  }
  printf("%.6f %.6f\n", u[IDX(n / 2, n / 2)], residual(u, f, n, h2));
  free(u);
  free(f);
  return 0;
}
