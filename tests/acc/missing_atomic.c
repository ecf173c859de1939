#include <stdio.h>
int main(void) {
  int h[3] = {0};
#pragma acc parallel loop seq copy(h)
  for (int i = 0; i < 30; i++)
    h[i % 3] += i;
  printf("%d %d %d\n", h[0], h[1], h[2]);
  return 0;
}
