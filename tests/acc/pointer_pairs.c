#include <stdio.h>
#include <stdlib.h>
static double sum(const double *first, const double *last) {
  double s = 0;
  while (first < last) s += *first++;
  return s;
}
static void fill(int *begin, int *end, int v) {
  for (int *p = begin; p != end; ++p) *p = v + (int)(p - begin);
}
static void reverse(int *b, int *e) {
  while (b < e && b != --e) {
    int t = *b;
    *b++ = *e;
    *e = t;
  }
}
static const float *lower_bound(const float *b, const float *e, float x);
static long count_less(const float *b, const float *e, float x) {
  const float *lo = b;
  long n = e - b;
  while (n > 0) {
    long half = n / 2;
    const float *mid = lo + half;
    if (*mid < x) { lo = mid + 1; n -= half + 1; } else n = half;
  }
  return lo - b;
}
static void sort_between(int *lo, int *hi) {
  if (hi - lo < 2) return;
  int pivot = *(lo + (hi - lo) / 2);
  int *i = lo, *j = hi - 1;
  while (i <= j) {
    while (*i < pivot) i++;
    while (*j > pivot) j--;
    if (i <= j) { int t = *i; *i++ = *j; *j-- = t; }
  }
  sort_between(lo, j + 1);
  sort_between(i, hi);
}
static double total(const double *first, const double *last) { return sum(first, last) + 1; }
int main(void) {
  double a[100];
  int v[50];
  float f[8] = { 1, 2, 4, 8, 16, 32, 64, 128 };
  for (int i = 0; i < 100; i++) a[i] = i * 0.5;
  printf("%g %g %g\n", sum(a, a + 100), sum(&a[10], &a[20]), total(a + 5, a + 7));
  fill(v, v + 50, 3);
  reverse(v, v + 50);
  printf("%d %d\n", v[0], v[49]);
  printf("%ld %ld\n", count_less(f, f + 8, 10.0f), count_less(f + 2, f + 6, 4.5f));
  unsigned x = 12345;
  for (int i = 0; i < 50; i++) { x = x * 1103515245u + 12345u; v[i] = (x >> 16) % 1000; }
  sort_between(v, v + 50);
  int *stop = v + 10;
  for (int *p = v; p < stop; p++) printf("%d ", *p);
  double *heap = malloc(20 * sizeof(double));
  for (double *p = heap, *e = heap + 20; p < e; ++p) *p = p - heap;
  printf("%g\n", sum(heap, heap + 20));
  free(heap);
  return 0;
}
