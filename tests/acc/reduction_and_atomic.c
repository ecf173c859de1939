#include <stdio.h>
#include <stdlib.h>

/* A reduction on the same loop as the atomic. */
int main(void) {
  int n = 4000;
  int *k = (int *)malloc(n * sizeof(int));
  long total = 0;
  int biggest = -1;
  int hist[100];
  for (int i = 0; i < 100; i++) hist[i] = 0;
  for (int i = 0; i < n; i++) k[i] = (i * 31 + 7) % 100;
#pragma acc parallel loop copyin(k[0:n]) copy(hist) reduction(+:total) reduction(max:biggest)
  for (int i = 0; i < n; i++) {
    total += k[i];
    biggest = k[i] > biggest ? k[i] : biggest;
#pragma acc atomic update
    hist[k[i]] += 1;
  }
  long check = 0;
  for (int i = 0; i < 100; i++) check += (long)i * hist[i];
  printf("%ld %ld %d\n", total, check, biggest);
  free(k);
  return total != check;
}
