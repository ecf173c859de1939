#include <stdio.h>
static int side;
static int bump(int by) { return side += by; }
int main(void) {
  int a = 1, b = 2, c;
  c = (a++, b += a, a + b);
  int d = a > b ? a : b, e = a == 2 && b == 4;
  int x = 5, y = x++ + 2, z = --x * 3;
  a = b = c = 9;
  int arr[6], n = 0;
  arr[n++] = 1;
  arr[n++] = 2;
  arr[n] = arr[n - 1] + arr[0];
  int t = !e || bump(3) > 2;
  int u = side ? bump(1) : bump(10);
  printf("%d %d %d %d %d %d %d %d %d %d %d %d\n", a, b, c, d, e, x, y, z, arr[2], t, u, side);
  unsigned char k = 'A';
  k ^= 0x20;
  printf("%c %d\n", k, "xyz"[1] == 'y');
  return 0;
}
