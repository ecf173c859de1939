#include <stdio.h>
#include <stdlib.h>

/* Calls that get different parts of one whole, and write one of them. */
#define LEVELS 4

typedef struct {
  int n;
  double *density, *pressure, *speed;
} Field;

static double *level[LEVELS];

static void fill(int n, double *x, double a, double y[]) {
  for (int i = 0; i < n; i++) {
    *x = *x * 0.75 + a;
    y[i] = *x;
  }
}

static void coarsen(const double *fine, int n, double *coarse) {
#pragma acc parallel loop copyin(fine[0:2*n]) copyout(coarse[0:n])
  for (int i = 0; i < n; i++) coarse[i] = 0.5 * (fine[2 * i] + fine[2 * i + 1]);
}

static void gas(int *n, const double *density, double *pressure, double *speed) {
#pragma acc parallel loop copyin(density[0:*n]) copyout(pressure[0:*n], speed[0:*n])
  for (int i = 0; i < *n; i++) {
    pressure[i] = 0.4 * density[i];
    speed[i] = pressure[i] * pressure[i];
  }
}

static void step(const double *from, double *to, int n) {
  for (int i = 0; i < n; i++) to[i] = from[(i + 1) % n] + 1;
}

static void exchange(double a[5], double b[5], const double c[5]) {
  for (int k = 0; k < 5; k++) {
    a[k] += c[k];
    b[k] -= c[k] * a[k];
  }
}

static Field *new_field(int n) {
  Field *f = (Field *)malloc(sizeof(Field));
  f->n = n;
  f->density = (double *)malloc(n * sizeof(double));
  f->pressure = (double *)malloc(n * sizeof(double));
  f->speed = (double *)malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) f->density[i] = 1 + i;
  return f;
}

int main(void) {
  double dum[6] = {1.0, 0.5, 0, 0, 0, 0};
  fill(4, &dum[0], dum[1], &dum[2]);
  printf("%g %g %g\n", dum[0], dum[2], dum[5]);

  for (int k = 0; k < LEVELS; k++) level[k] = (double *)calloc(1 << (k + 2), sizeof(double));
  for (int i = 0; i < 1 << (LEVELS + 1); i++) level[LEVELS - 1][i] = i * i;
  for (int k = LEVELS - 1; k >= 1; k--) coarsen(level[k], 1 << (k + 1), level[k - 1]);
  printf("%g %g\n", level[0][0], level[0][3]);

  Field *f = new_field(8);
  gas(&f->n, f->density, f->pressure, f->speed);
  printf("%g %g\n", f->pressure[7], f->speed[7]);

  double u[2][6] = {{1, 2, 3, 4, 5, 6}};
  int now = 0;
  for (int t = 0; t < 5; t++) {
    step(u[now], u[1 - now], 6);
    now = 1 - now;
  }
  for (int t = 0; t < 3; t++) step(u[(t + 1) % 2], u[t % 2], 6);
  printf("%g %g\n", u[0][0], u[1][5]);

  double lhs[4][3][5];
  for (int i = 0; i < 60; i++) lhs[i / 15][i / 5 % 3][i % 5] = 0.1 * i;
  for (int i = 1; i < 4; i++) exchange(lhs[i][0], lhs[i][1], lhs[i][2]);
  for (int i = 1; i < 4; i++) exchange(lhs[i][0], lhs[i - 1][1], lhs[i][2]);
  printf("%.4f %.4f\n", lhs[3][0][4], lhs[3][1][4]);
  for (int k = 0; k < LEVELS; k++) free(level[k]);
  free(f->density);
  free(f->pressure);
  free(f->speed);
  free(f);
  return 0;
}
