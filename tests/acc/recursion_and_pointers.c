#include <stdio.h>
#include <stdlib.h>

static void quicksort(int *a, int lo, int hi) {
  if (lo >= hi) return;
  int pivot = a[(lo + hi) / 2], i = lo, j = hi;
  while (i <= j) {
    while (a[i] < pivot) i++;
    while (a[j] > pivot) j--;
    if (i <= j) {
      int t = a[i];
      a[i] = a[j];
      a[j] = t;
      i++;
      j--;
    }
  }
  quicksort(a, lo, j);
  quicksort(a, i, hi);
}

static void swap(int *x, int *y) {
  int t = *x;
  *x = *y;
  *y = t;
}

static void divide(int a, int b, int *q, int *r) {
  *q = a / b;
  *r = a % b;
}

static int sum(const int *p, int n) {
  int s = 0;
  const int *end = p + n;
  while (p < end)
    s += *p++;
  return s;
}

static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) {
  int n = 50;
  int *a = (int *)malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) a[i] = (i * 37) % 53;
  quicksort(a, 0, n - 1);
  int x = 3, y = 8, q, r;
  swap(&x, &y);
  divide(47, 7, &q, &r);
  int *p = a;
  int first = *p;
  p += 5;
  int sixth = p[0], seventh = *(p + 1);
  printf("%d %d %d %d %d %d %d\n", x, y, q, r, first, sixth, seventh);
  printf("%d %d %ld\n", sum(a, n), sum(a + 10, 5), fib(15));
  int ok = 1;
  for (int i = 1; i < n; i++)
    if (a[i - 1] > a[i]) ok = 0;
  free(a);
  return !ok;
}
