// ACC2RS1203: Rust has no wider floating type.
#include <stdio.h>
int main(void) {
  long double x = 1.0L;
  for (int i = 0; i < 10; i++) x /= 3.0L;
  printf("%Lf\n", x);
  return 0;
}
