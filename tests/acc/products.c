#include <stdio.h>

/* Products, subtraction and decrement into bins. */
int main(void) {
  double p[4] = {1.0, 1.0, 1.0, 1.0};
  int left[4] = {100, 100, 100, 100};
  long debt[4] = {0};
#pragma acc parallel loop copy(p, left, debt)
  for (int i = 0; i < 60; i++) {
#pragma acc atomic
    p[i % 4] *= 1.0 + (i % 2);
#pragma acc atomic
    left[i % 4]--;
#pragma acc atomic update
    debt[(i / 2) % 4] -= i;
  }
  for (int k = 0; k < 4; k++) printf("%g %d %ld\n", p[k], left[k], debt[k]);
  return 0;
}
