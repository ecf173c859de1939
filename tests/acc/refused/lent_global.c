// ACC2RS1307: a local that is exchanged points into a global while a function that uses globals is called.
#include <stdio.h>
#include <stdlib.h>
static int *result;
static long calls;
static void count(void) { calls++; }
int main(void) {
  int *src, *dst, *t;
  result = malloc(8 * sizeof(int));
  for (int i = 0; i < 8; i++) result[i] = i;
  dst = result;
  src = malloc(8 * sizeof(int));
  for (int step = 0; step < 3; step++) {
    count();
    t = src;
    src = dst;
    dst = t;
    for (int i = 0; i < 8; i++) dst[i] = src[7 - i] + 1;
  }
  printf("%d %ld\n", dst[0], calls);
  return 0;
}
