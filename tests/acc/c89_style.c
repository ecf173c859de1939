#include <stdio.h>
#include <stdlib.h>

/* Declarations first, K&R style names, loops on outer variables. */
int main()
{
  int i, j, n, err;
  int *data, *count;
  double mean;
  n = 512;
  err = 0;
  data = (int *) malloc(n * sizeof(int));
  count = (int *) malloc(8 * sizeof(int));
  for (i = 0; i < n; i++)
    data[i] = (i * 5) / 3;
  for (j = 0; j < 8; j++)
    count[j] = 0;
#pragma acc parallel copyin(data[0:n]) copy(count[0:8])
  {
#pragma acc loop
    for (i = 0; i < n; i++) {
#pragma acc atomic
      ++count[data[i] % 8];
    }
  }
  mean = 0;
  for (j = 0; j < 8; j++)
    mean += count[j];
  mean /= 8;
  if (mean != 64.0)
    err = 1;
  printf("mean %f\n", mean);
  free(data);
  free(count);
  return err;
}
