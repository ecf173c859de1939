#include <stdio.h>
#include <stdlib.h>

static float *make(int n, float value) {
  float *p = (float *)malloc(n * sizeof(float));
  if (!p) {
    perror("malloc");
    exit(1);
  }
  for (int i = 0; i < n; i++) p[i] = value + i;
  return p;
}

static void allocate(int **out, int n) {
  *out = (int *)malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) (*out)[i] = 0;
}

static void release(float *p) { free(p); }

int main(void) {
  int n = 64, *bins = NULL, capacity = 2, used = 0;
  float *a = make(n, 0.5f), *b;
  b = make(n, 1.0f);
  allocate(&bins, 8);
#pragma acc parallel loop copyin(a[0:n], b[0:n]) copy(bins[0:8])
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    bins[(int)(a[i] + b[i]) % 8] += 1;
  }
  int *list = (int *)malloc(capacity * sizeof(int));
  for (int i = 0; i < 8; i++) {
    if (used == capacity) {
      capacity *= 2;
      list = (int *)realloc(list, capacity * sizeof(int));
    }
    list[used++] = bins[i];
  }
  for (int i = 0; i < used; i++) printf("%d ", list[i]);
  printf("cap %d\n", capacity);
  release(a);
  free(b);
  free(bins);
  free(list);
  return 0;
}
