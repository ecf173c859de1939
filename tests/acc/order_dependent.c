#include <stdio.h>

/* `/=` and `x = e - x` depend on the order; the loops stay sequential. */
int main(void) {
  double h[8];
  int k[40];
  for (int i = 0; i < 8; i++) h[i] = 1000.0 + i;
  for (int i = 0; i < 40; i++) k[i] = i % 8;
#pragma acc parallel loop copy(h) copyin(k)
  for (int i = 0; i < 40; i++) {
#pragma acc atomic update
    h[k[i]] /= 2.0;
  }
#pragma acc parallel loop copy(h) copyin(k)
  for (int i = 0; i < 24; i++) {
#pragma acc atomic update
    h[k[i]] = 100.0 - h[k[i]];
  }
  for (int i = 0; i < 8; i++) printf("%g ", h[i]);
  printf("\n");
  return 0;
}
