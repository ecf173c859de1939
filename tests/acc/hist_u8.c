/* A histogram of bytes: the smallest program of the kind. */
#include <stdio.h>
#include <stdlib.h>

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

#pragma acc parallel loop copyin(keys[0:N]) copy(hist[0:BINS])
  for (int i = 0; i < N; i++) {
#pragma acc atomic update
    hist[keys[i]] += 1;
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
