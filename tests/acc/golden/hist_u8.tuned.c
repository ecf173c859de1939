/* A histogram of bytes: the smallest program of the kind. */
#include <stdio.h>
#include <stdlib.h>
/* How many local copies the bins have; 0 updates the bins themselves. */
#ifndef NUM_LOCALS
#define NUM_LOCALS 8
#endif
/* The local copy of a gang; gangs that run at one time spread over all copies. */
#define GANG_LOCAL(gang, num_locals) (((unsigned)(gang) * 2654435769u >> 16) % (unsigned)(num_locals))

#define N 20000
#define BINS 256

int main(void) {
  unsigned char *keys = (unsigned char *)malloc(N);
  unsigned int *hist = (unsigned int *)malloc(BINS * sizeof(unsigned int));
  int errors = 0;
  srand(7);
  for (int i = 0; i < N; i++)
    keys[i] = rand() % 256;
  for (int i = 0; i < BINS; i++)
    hist[i] = 0;

{
  size_t hist_bins = (size_t)(BINS);
  size_t hist_num_locals = NUM_LOCALS;
  size_t hist_size = hist_num_locals == 0 ? 1 : hist_num_locals * hist_bins;
  unsigned int *hist_locals = (unsigned int *)malloc(hist_size * sizeof(unsigned int));
  if (hist_locals == NULL) abort();
#pragma acc data create(hist_locals[0:hist_size]) copy(hist[0:BINS])
  {
    if (hist_num_locals != 0) {
    #pragma acc parallel loop gang vector vector_length(256) present(hist_locals[0:hist_size])
      for (size_t local = 0; local < hist_size; local++) hist_locals[local] = 0;
    }
#pragma acc parallel loop copyin(keys[0:N]) copy(hist[0:BINS]) num_gangs(1024) vector_length(256) present(hist_locals[0:hist_size])
  for (int i = 0; i < N; i++) {
if (hist_num_locals == 0) {
#pragma acc atomic update
    hist[keys[i]] += 1;
} else {
#pragma acc atomic update
    (hist_locals + GANG_LOCAL((size_t)i / 256, hist_num_locals) * hist_bins)[keys[i]] += 1;
}
  }
    if (hist_num_locals != 0) {
    #pragma acc parallel loop gang vector collapse(2) vector_length(256) present(hist_locals[0:hist_size]) present(hist[0:hist_bins])
      for (size_t tile = 0; tile < hist_num_locals; tile += 8) {
        for (size_t bin = 0; bin < hist_bins; bin++) {
          unsigned int part = 0;
          for (size_t local = tile; local < tile + 8 && local < hist_num_locals; local++) part += hist_locals[local * hist_bins + bin];
    #pragma acc atomic update
          hist[bin] += part;
        }
      }
    }
  }
  free(hist_locals);
}

  unsigned int total = 0;
  for (int i = 0; i < BINS; i++)
    total += hist[i];
  if (total != N)
    errors++;
  printf("total %u, first %u, last %u\n", total, hist[0], hist[255]);
  free(keys);
  free(hist);
  return errors;
}
