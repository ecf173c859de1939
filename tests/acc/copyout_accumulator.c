#include <stdio.h>

/* The bug class: an accumulator in copyout, which works on the host only. */
int main(void) {
  int h[4] = {0, 0, 0, 0};
#pragma acc parallel loop copyout(h[0:4])
  for (int i = 0; i < 100; i++) {
#pragma acc atomic update
    h[i & 3] += 1;
  }
  printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
  return 0;
}
