// ACC2RS1302: the same array is read through one pointer and written through another.
#include <stdio.h>
static void shift(int *to, const int *from, int n) {
  for (int i = 0; i < n; i++) to[i] = from[n - 1 - i] + 1;
}
int main(void) {
  int a[8] = {0};
  shift(a, a, 8);
  printf("%d\n", a[0]);
  return 0;
}
