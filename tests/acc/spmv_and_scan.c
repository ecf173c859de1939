#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counting sort: histogram, exclusive scan, scatter. */
static void counting_sort(const unsigned *in, unsigned *out, size_t n, unsigned bits) {
  size_t buckets = (size_t)1 << bits;
  unsigned *count = (unsigned *)calloc(buckets, sizeof *count);
#pragma acc parallel loop copyin(in[0:n]) copy(count[0:buckets])
  for (size_t i = 0; i < n; i++) {
#pragma acc atomic update
    count[in[i] & (buckets - 1)]++;
  }
  unsigned sum = 0;
  for (size_t b = 0; b < buckets; b++) {
    unsigned c = count[b];
    count[b] = sum;
    sum += c;
  }
  for (size_t i = 0; i < n; i++)
    out[count[in[i] & (buckets - 1)]++] = in[i];
  free(count);
}

int main(void) {
  size_t n = 1000;
  unsigned *a = (unsigned *)malloc(n * sizeof(unsigned)), *b = (unsigned *)malloc(n * sizeof(unsigned));
  for (size_t i = 0; i < n; i++) a[i] = (unsigned)(i * 2654435761u) % 256;
  counting_sort(a, b, n, 8);
  memcpy(a, b, n * sizeof(unsigned));
  int ok = 1;
  for (size_t i = 1; i < n; i++)
    if (a[i - 1] > a[i]) ok = 0;
  printf("%s %u %u\n", ok ? "sorted" : "unsorted", a[0], a[n - 1]);
  free(a);
  free(b);
  return !ok;
}
