/* Exchanges: rows of a table in an elimination, a function's own parameters, elements with steps in the indices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define N 12

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

static void sort(int *v, int lo, int hi) {
  if (lo >= hi) return;
  int i = lo - 1;
  for (int j = lo; j < hi; j++)
    if (v[j] <= v[hi]) swap(&v[++i], &v[j]);
  swap(&v[i + 1], &v[hi]);
  sort(v, lo, i);
  sort(v, i + 2, hi);
}

static void relax(float *in, float *out, int n, int steps) {
  do {
#pragma acc parallel loop copyin(in[0:n]) copy(out[0:n])
    for (int i = 1; i < n - 1; i++) out[i] = 0.5f * in[i] + 0.25f * (in[i - 1] + in[i + 1]);
    float *t = in;
    in = out;
    out = t;
  } while (--steps);
  in[0] += 1;
}

typedef struct {
  float *now, *next;
} field;

static void drift(field *f, int n) {
  float *now = f->now, *next = f->next;
#pragma acc parallel loop copyin(now[0:n]) copy(next[0:n])
  for (int i = 0; i < n; i++) next[i] = now[(i + 1) % n];
  f->now = next;
  f->next = now;
}

static int eliminate(double **a, double *b, int n) {
  int swaps = 0;
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
    if (p != k) {
      double *row = a[p], v = b[p];
      a[p] = a[k];
      a[k] = row;
      b[p] = b[k];
      b[k] = v;
      swaps++;
    }
    for (int i = k + 1; i < n; i++) {
      double f = a[i][k] / a[k][k];
      for (int j = k; j < n; j++) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  return swaps;
}

int main(void) {
  double **a = malloc(N * sizeof(double *)), b[N];
  float u[N], v[N];
  int order[N], hist[3] = {0};
  for (int i = 0; i < N; i++) {
    a[i] = malloc(N * sizeof(double));
    for (int j = 0; j < N; j++) a[i][j] = (i * 7 + j * 13) % 17 - 8 + (j == (i + 5) % N ? 40 : 0);
    b[i] = i;
    u[i] = v[i] = i * i % 7;
    order[i] = i * 5 % N;
  }
  printf("%d swaps", eliminate(a, b, N));
  printf(", %.6f %.6f\n", a[N - 1][N - 1], b[N - 1]);
  relax(u, v, N, 5);
  printf("%.5f %.5f %.1f %.1f\n", u[5], v[5], u[0], v[0]);
  field f = {calloc(N, sizeof(float)), calloc(N, sizeof(float))};
  f.now[3] = 1;
  drift(&f, N);
  drift(&f, N);
  printf("%.1f %.1f\n", f.now[1], f.next[2]);
  free(f.now);
  free(f.next);
  sort(order, 0, N - 1);
#pragma acc parallel loop copyin(order) copy(hist)
  for (int i = 0; i < N; i++) {
#pragma acc atomic update
    hist[order[i] % 3]++;
  }
  for (int i = 0; i < N; i++) printf("%d ", order[i]);
  printf("%d %d %d\n", hist[0], hist[1], hist[2]);
  for (int i = 0; i < N; i++) free(a[i]);
  free(a);
  return 0;
}
