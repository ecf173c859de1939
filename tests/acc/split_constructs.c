// The constructs are split: data, parallel and loop each stand alone.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <openacc.h>

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
  #pragma acc data copyin(a[0:n], b[0:n]) copy(distribution[0:10])
  {
    #pragma acc parallel
    {
      #pragma acc loop
      for (int x = 0; x < n; ++x) {
        #pragma acc atomic
        distribution[(int)(a[x] * b[x] / 10)]++;
      }
    }
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
