// ACC2RS1212: structs are not read as bytes.
#include <stdio.h>
struct point { double x, y; };
int main(void) {
  struct point p;
  if (fread(&p, sizeof p, 1, stdin) != 1) return 1;
  return p.x > p.y;
}
