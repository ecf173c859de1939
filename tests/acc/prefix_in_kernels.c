/* Prefix sums, a compaction and a running maximum in `kernels`, where the compiler has to see what they are. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n = 200;
  int *x = malloc(n * sizeof(int)), *sums = malloc(n * sizeof(int)), *tops = malloc(n * sizeof(int));
  int *kept = malloc(n * sizeof(int));
  unsigned int *counts = calloc(17, sizeof(unsigned int));
  for (int i = 0; i < n; i++)
    x[i] = (i * 37) % 101 - 20;
  int sum = 0, top = x[0], m = 0;
#pragma acc kernels copyin(x[0 : n]) copyout(sums[0 : n], tops[0 : n], kept[0 : n])
  {
    for (int i = 0; i < n; i++) {
      sum += x[i];
      sums[i] = sum;
    }
    for (int i = 0; i < n; i++) {
      if (x[i] > top)
        top = x[i];
      tops[i] = top;
    }
    for (int i = 0; i < n; i++) {
      if (x[i] > 40) {
        kept[m] = x[i];
        m++;
      }
    }
    for (int i = 0; i < n; i++)
      counts[(x[i] + 20) % 16]++;
    unsigned int before = 0;
    for (int b = 0; b < 17; b++) {
      unsigned int own = counts[b];
      counts[b] = before;
      before += own;
    }
  }
  printf("%d %d %d %d %d %u %u\n", sums[n - 1], sums[3], tops[n - 1], m, kept[m - 1], counts[16], counts[5]);
  free(x);
  free(sums);
  free(tops);
  free(kept);
  free(counts);
  return 0;
}
