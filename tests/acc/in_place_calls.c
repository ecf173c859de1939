#include <stdio.h>
#include <stdlib.h>

/* Functions that work element by element, called with one array for what they read and what they write. */
typedef struct {
  unsigned n;
  double *coefs;
} vector;

static void allocate(vector *v, unsigned n, double first) {
  v->n = n;
  v->coefs = (double *)malloc(n * sizeof(double));
  for (unsigned i = 0; i < n; i++) v->coefs[i] = first + i;
}

static void waxpby(double alpha, const vector *x, double beta, const vector *y, const vector *w) {
  unsigned n = x->n;
  double *restrict xs = x->coefs;
  double *ys = y->coefs;
  double *ws = w->coefs;
#pragma acc kernels loop independent
  for (unsigned i = 0; i < n; i++) ws[i] = alpha * xs[i] + beta * ys[i];
}

static void release(vector *v) {
  double *coefs = v->coefs;
  free(coefs);
}

static void residual(const double *v, double *r, int n, double a) {
#pragma acc parallel loop collapse(2)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) r[i * n + j] = v[i * n + j] - a * (i - j);
  for (int j = 0; j < n; j++) r[j] = r[(n - 2) * n + j];
}

static double *work[2];

static void scale(const float *from, float *to, int n, float by) {
  for (int i = 0; i < n; i++) {
    float old = from[i];
    to[i] = old * by + to[n - 1 - i] * 0.0f;
  }
}

int main(void) {
  vector p, r;
  allocate(&p, 6, 1.0);
  allocate(&r, 6, 0.5);
  waxpby(1.0, &r, 0.25, &p, &p);
  waxpby(2.0, &p, 0.0, &p, &r);
  printf("%g %g %g\n", p.coefs[0], p.coefs[5], r.coefs[5]);
  work[0] = (double *)calloc(25, sizeof(double));
  work[1] = (double *)calloc(25, sizeof(double));
  for (int i = 0; i < 25; i++) work[1][i] = i;
  residual(work[1], work[1], 5, 0.5);
  residual(work[1], work[0], 5, 0.5);
  printf("%g %g %g\n", work[1][3], work[1][8], work[0][8]);
  float f[4] = {1, 2, 3, 4};
  scale(f, f, 4, 3.0f);
  printf("%g %g\n", f[0], f[3]);
  release(&p);
  release(&r);
  free(work[0]);
  free(work[1]);
  return 0;
}
