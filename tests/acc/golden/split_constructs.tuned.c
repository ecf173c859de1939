// The constructs are split: data, parallel and loop each stand alone.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <openacc.h>
/* How many local copies the bins have; 0 updates the bins themselves. */
#ifndef NUM_LOCALS
#define NUM_LOCALS 8
#endif
/* The local copy of a gang; gangs that run at one time spread over all copies. */
#define GANG_LOCAL(gang, num_locals) (((unsigned)(gang) * 2654435769u >> 16) % (unsigned)(num_locals))

#define SEED 5
typedef double real_t;

static int test(int n) {
  int err = 0;
  srand(SEED);
  real_t *a = (real_t *)malloc(n * sizeof(real_t));
  real_t *b = (real_t *)malloc(n * sizeof(real_t));
  int *distribution = (int *)malloc(10 * sizeof(int));
  int *expected = (int *)malloc(10 * sizeof(int));
  for (int x = 0; x < n; ++x) {
    a[x] = rand() / (real_t)(RAND_MAX / 10);
    b[x] = rand() / (real_t)(RAND_MAX / 10);
  }
  for (int x = 0; x < 10; ++x) {
    distribution[x] = 0;
    expected[x] = 0;
  }
  {
    size_t distribution_bins = (size_t)(10);
    size_t distribution_num_locals = NUM_LOCALS;
    size_t distribution_size = distribution_num_locals == 0 ? 1 : distribution_num_locals * distribution_bins;
    int *distribution_locals = (int *)malloc(distribution_size * sizeof(int));
    if (distribution_locals == NULL) abort();
  #pragma acc data copyin(a[0:n], b[0:n]) copy(distribution[0:10]) create(distribution_locals[0:distribution_size])
  {
    {
      if (distribution_num_locals != 0) {
      #pragma acc parallel loop gang vector vector_length(256) present(distribution_locals[0:distribution_size])
        for (size_t local = 0; local < distribution_size; local++) distribution_locals[local] = 0;
      }
    #pragma acc parallel vector_length(256) present(distribution_locals[0:distribution_size])
    {
      #pragma acc loop
      for (int x = 0; x < n; ++x) {
        if (distribution_num_locals == 0) {
        #pragma acc atomic
        distribution[(int)(a[x] * b[x] / 10)]++;
        } else {
        #pragma acc atomic
        (distribution_locals + GANG_LOCAL((size_t)x / 256, distribution_num_locals) * distribution_bins)[(int)(a[x] * b[x] / 10)]++;
        }
      }
    }
      if (distribution_num_locals != 0) {
      #pragma acc parallel loop gang vector collapse(2) vector_length(256) present(distribution_locals[0:distribution_size]) present(distribution[0:distribution_bins])
        for (size_t tile = 0; tile < distribution_num_locals; tile += 8) {
          for (size_t bin = 0; bin < distribution_bins; bin++) {
            int part = 0;
            for (size_t local = tile; local < tile + 8 && local < distribution_num_locals; local++) part += distribution_locals[local * distribution_bins + bin];
      #pragma acc atomic update
            distribution[bin] += part;
          }
        }
      }
    }
  }
    free(distribution_locals);
  }
  for (int x = 0; x < n; ++x)
    expected[(int)(a[x] * b[x] / 10)]++;
  for (int x = 0; x < 10; ++x) {
    if (distribution[x] != expected[x]) {
      err += 1;
      break;
    }
  }
  printf("%d %d\n", distribution[0], distribution[9]);
  free(a);
  free(b);
  free(distribution);
  free(expected);
  return err;
}

int main(int argc, char **argv) {
  int failcode = 0;
  int failed = 0;
  for (int x = 0; x < 3; ++x)
    failed = failed + test(1000 + x);
  if (failed != 0)
    failcode = failcode + (1 << 0);
  return failcode;
}
