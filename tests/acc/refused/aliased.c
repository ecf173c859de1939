// ACC2RS1302: the same array is read through one pointer and written through another, in a function that there can be only one of.
#include <stdio.h>
static int shift(int *to, const int *from, int n) {
  static int calls = 0;
  for (int i = 0; i < n; i++) to[i] = from[n - 1 - i] + 1;
  return ++calls;
}
int main(void) {
  int a[8] = {0};
  shift(a, a, 8);
  printf("%d\n", a[0] + shift(a, a + 1, 7));
  return 0;
}
