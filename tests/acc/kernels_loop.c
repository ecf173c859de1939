#include <stdio.h>

#define N 4096

/* Global arrays, a kernels region and an inner loop. */
int keys[N];
int hist[64];

int main() {
  int i, sum = 0;
  for (i = 0; i < N; i++)
    keys[i] = (i * 37 + 11) % 64;
#pragma acc kernels copyin(keys) copy(hist)
  {
#pragma acc loop independent
    for (i = 0; i < N; ++i) {
#pragma acc atomic update
      hist[keys[i]] = hist[keys[i]] + 1;
    }
  }
  for (i = 0; i < 64; i++)
    sum += hist[i] * i;
  printf("sum = %d\n", sum);
  return sum == 0;
}
