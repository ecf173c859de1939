/* The program of the paper's Figure 4: a histogram whose bins all gangs update. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n = 64, items = 10000;
  int *keys = (int *)malloc(items * sizeof(int));
  int *hist = (int *)calloc(n, sizeof(int));
  for (int i = 0; i < items; i++)
    keys[i] = (int)((long)i * i % n);
#pragma acc data copyin(keys[0:items]) copy(hist[0:n])
  {
#pragma acc parallel
#pragma acc loop
    for (int i = 0; i < items; i++) {
#pragma acc atomic update
      hist[keys[i]] += 1;
    }
  }
  for (int b = 0; b < n; b++)
    printf("%d%c", hist[b], b % 16 == 15 ? '\n' : ' ');
  free(keys);
  free(hist);
  return 0;
}
