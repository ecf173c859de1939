/* Pointers that change places: two names for the caller's arrays, a ring of three buffers, elements of one array. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

static void smooth(const double *from, double *to, int n) {
#pragma acc parallel loop copyin(from[0:n]) copy(to[0:n])
  for (int i = 1; i < n - 1; i++) to[i] = 0.5 * (from[i - 1] + from[i + 1]);
}

static double settle(double *u, double *v, int n, int steps) {
  double *now = u, *then = v, *held;
  for (int s = 0; s < steps; s++) {
    smooth(now, then, n);
    held = now;
    now = then;
    then = held;
  }
  return now[n / 2];
}

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

int main(void) {
  enum { N = 48 };
  double a[N], *b = malloc(N * sizeof(double));
  double *prev = calloc(N, sizeof(double)), *curr = calloc(N, sizeof(double)), *next = calloc(N, sizeof(double)), *t;
  int i = 0, order[6] = {5, 3, 4, 0, 2, 1}, hist[4] = {0};
  if (!b || !prev || !curr || !next) {
    fprintf(stderr, "no memory: %s\n", strerror(errno));
    return 1;
  }
  for (i = 0; i < N; i++) a[i] = b[i] = i % 5;
  printf("%.6f", settle(a, b, N, 21));
  printf(" %.6f %.6f\n", a[1], b[1]);
  curr[N / 2] = prev[N / 2] = 1;
  for (int step = 0; step < 10; step++) {
    for (i = 1; i < N - 1; i++) next[i] = 2 * curr[i] - prev[i] + 0.25 * (curr[i - 1] - 2 * curr[i] + curr[i + 1]);
    t = prev;
    prev = curr;
    curr = next;
    next = t;
  }
#pragma acc parallel loop copyin(curr[0:N]) copy(hist)
  for (i = 0; i < N; i++) {
#pragma acc atomic update
    hist[(int)(curr[i] * 4 + 2) & 3]++;
  }
  printf("%d %d %d %d\n", hist[0], hist[1], hist[2], hist[3]);
  for (int last = 5; last > 0; last--)
    for (i = 0; i < last; i++)
      if (order[i] > order[i + 1]) swap(&order[i], &order[i + 1]);
  swap(&order[0], &hist[0]);
  for (i = 0; i < 6; i++) printf("%d\a%c", order[i], i < 5 ? ',' : '\n');
  free(b);
  free(prev);
  free(curr);
  free(next);
  return 0;
}
