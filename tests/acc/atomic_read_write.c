#include <stdio.h>

int main(void) {
  int x = 4, y = 0, z = 10;
#pragma acc parallel copy(x, y, z)
  {
#pragma acc atomic read
    y = x;
#pragma acc atomic write
    z = 42;
#pragma acc atomic
    x *= 3;
  }
  printf("%d %d %d\n", x, y, z);
  return 0;
}
