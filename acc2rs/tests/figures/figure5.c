/* The program of the paper's Figure 5, written by hand: Figure 4 with num_locals local histograms. */
#include <stdio.h>
#include <stdlib.h>

#define NUM_GANGS 1024
#ifndef NUM_LOCALS
#define NUM_LOCALS 8
#endif

int main(void) {
  int n = 64, items = 10000, num_locals = NUM_LOCALS;
  int *keys = (int *)malloc(items * sizeof(int));
  int *hist = (int *)calloc(n, sizeof(int));
  for (int i = 0; i < items; i++)
    keys[i] = (int)((long)i * i % n);
  int size = num_locals ? num_locals * n : 1;
  int *local = (int *)malloc(size * sizeof(int));
#pragma acc data copyin(keys[0:items]) copy(hist[0:n]) create(local[0:size])
  {
    if (num_locals == 0) {
#pragma acc parallel loop
      for (int i = 0; i < items; i++) {
#pragma acc atomic update
        hist[keys[i]] += 1;
      }
    } else {
#pragma acc parallel loop
      for (int k = 0; k < size; k++)
        local[k] = 0;
#pragma acc parallel loop gang num_gangs(NUM_GANGS)
      for (int gang_id = 0; gang_id < NUM_GANGS; gang_id++) {
        int first = (int)((long)items * gang_id / NUM_GANGS), last = (int)((long)items * (gang_id + 1) / NUM_GANGS);
#pragma acc loop vector
        for (int i = first; i < last; i++) {
#pragma acc atomic update
          local[gang_id % num_locals * n + keys[i]] += 1;
        }
      }
#pragma acc parallel loop
      for (int b = 0; b < n; b++)
        for (int l = 0; l < num_locals; l++)
          hist[b] += local[l * n + b];
    }
  }
  free(local);
  for (int b = 0; b < n; b++)
    printf("%d%c", hist[b], b % 16 == 15 ? '\n' : ' ');
  free(keys);
  free(hist);
  return 0;
}
