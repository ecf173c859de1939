/* Bounds and strides with a sign: from below zero, down to zero, none at all. */
#include <stdio.h>
#include <stdlib.h>

static void bands(int n, int k, const int *x, int *out) {
#pragma acc parallel loop collapse(2)
  for (int i = 0; i < n; i++)
    for (int d = -k; d <= k; d++) {
      int at = i + d;
      out[i * (2 * k + 1) + d + k] = at < 0 || at >= n ? 0 : x[at];
    }
}

static void turned(int first, int last, const int *x, int *out) {
#pragma acc parallel loop
  for (int i = last; i >= first; i--)
    out[last - i] = x[i - first];
}

static void columns(int rows, int cols, int stride, const int *x, int *out) {
#pragma acc parallel loop
  for (int c = 0; c < cols; c++)
    for (int r = 0; r < rows; r++)
      out[c * stride + r] = 2 * x[r * cols + c];
}

static int total(int n, const int *x) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum = (sum * 3 + x[i] % 7) % 1000;
  return sum;
}

int main(void) {
  int n = 60, k = 2, size = n * 5;
  int *x = malloc(size * sizeof(int)), *out = calloc(size, sizeof(int));
  for (int i = 0; i < size; i++)
    x[i] = i * i % 101;
  bands(n, k, x, out);
  printf("%d\n", total(size, out));
  bands(-3, k, x, out);
  bands(n, -1, x, out);
  printf("%d\n", total(size, out));
  turned(-20, 30, x, out);
  printf("%d\n", total(size, out));
  turned(5, 4, x, out);
  turned(-5, -8, x, out);
  columns(6, 10, 6, x, out);
  printf("%d\n", total(size, out));
  /* Columns that overlap: the last one wins, as in order. */
#pragma acc serial
  for (int c = 0; c < 10; c++)
    for (int r = 0; r < 6; r++)
      out[c * 4 + r] = 3 * x[r * 10 + c];
  printf("%d\n", total(size, out));
  columns(0, 10, -1, x, out);
  columns(6, 0, 6, x, out);
  printf("%d\n", total(size, out));
  free(x);
  free(out);
  return 0;
}
