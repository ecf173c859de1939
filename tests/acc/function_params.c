#include <stdio.h>
#include <stdlib.h>

/* Pointer parameters whose lengths the data clauses give. */
void histogram(const int *restrict keys, int n, int *restrict bins, int m) {
#pragma acc data copyin(keys[0:n]) copy(bins[0:m])
  {
#pragma acc parallel loop gang vector present(keys[0:n], bins[0:m])
    for (int i = 0; i < n; i++) {
      int k = keys[i] % m;
#pragma acc atomic update
      bins[k] += 1;
    }
  }
}

static void fill(int *a, int n, int seed) {
  unsigned int state = seed;
  for (int i = 0; i < n; i++) {
    state = state * 1664525u + 1013904223u;
    a[i] = (int)(state >> 16);
  }
}

int main(void) {
  const int n = 3000, m = 17;
  int *keys = malloc(n * sizeof(int));
  int *bins = calloc(m, sizeof(int));
  if (keys == NULL || !bins) {
    fprintf(stderr, "no memory\n");
    return 2;
  }
  fill(keys, n, 42);
  histogram(keys, n, bins, m);
  int total = 0;
  for (int i = 0; i < m; i++) {
    printf("%2d: %5d\n", i, bins[i]);
    total += bins[i];
  }
  free(keys);
  free(bins);
  return total == n ? 0 : 1;
}
