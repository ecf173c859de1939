// ACC2RS1212: files are not read.
#include <stdio.h>
int main(void) {
  int x = 0;
  if (scanf("%d", &x) != 1) return 1;
  return x;
}
