#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <inttypes.h>

int main(void) {
  const size_t n = 777;
  int64_t *keys = (int64_t *)malloc(n * sizeof(int64_t));
  uint64_t *bins = (uint64_t *)calloc(13, sizeof(uint64_t));
  uint8_t small[4] = {0};
  for (size_t i = 0; i < n; ++i) keys[i] = (int64_t)i * i - 5000;
#pragma acc parallel loop copyin(keys[0:n]) copy(bins[0:13])
  for (size_t i = 0; i < n; ++i) {
    int64_t k = keys[i] % 13;
    if (k < 0) k += 13;
#pragma acc atomic update
    bins[k] += (uint64_t)i;
  }
#pragma acc parallel loop copy(small)
  for (int i = 0; i < 600; i++) {
#pragma acc atomic update
    small[i % 4] += 1;
  }
  uint64_t x = 0;
  for (int i = 0; i < 13; i++) x = x * 1000003u + bins[i];
  printf("%" PRIu64 " %" PRId64 " %d %d\n", x, keys[n - 1], small[0], small[3]);
  printf("%zu %ld\n", n - 1, (long)(n / 2) - 400);
  free(keys);
  free(bins);
  return 0;
}
