#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n = 300;
  int *a = (int *)malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) a[i] = i;
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    a[i] += 2 * i;
  }
  long sum = 0;
  for (int i = 0; i < n; i++) sum += a[i];
  printf("%ld\n", sum);
  free(a);
  return sum != 3L * n * (n - 1) / 2;
}
