// ACC2RS1301: it depends on a condition which array the pointer points into, and the pointer moves.
#include <stdio.h>
int main(int argc, char **argv) {
  int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  int *p = argc > 1 ? a : b;
  *++p = 9;
  printf("%d %d\n", b[1], p[0]);
  return 0;
}
