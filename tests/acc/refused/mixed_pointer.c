// ACC2RS1301: it depends on a condition which array the pointer points into.
#include <stdio.h>
int main(int argc, char **argv) {
  int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  int *p = argc > 1 ? a : b;
  p[1] = 9;
  printf("%d\n", p[0]);
  return 0;
}
