#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>

static int collatz(long n) {
  int steps = 0;
  while (n != 1) {
    if (n % 2 == 0)
      n /= 2;
    else
      n = 3 * n + 1;
    steps++;
  }
  return steps;
}

int main(void) {
  int h[128];
  for (int i = 0; i < 128; ++i) h[i] = 0;
#pragma acc parallel loop copy(h)
  for (int i = 1; i <= 1000; i++) {
    int s = collatz(i);
    if (s > 127) continue;
#pragma acc atomic update
    h[s]++;
  }
  bool found = false;
  int i = 0;
  do {
    if (h[i] > 20) found = true;
    i++;
  } while (!found && i < 128);
  int k = 128;
  while (k-- > 0 && h[k] == 0) {
  }
  printf("%d %d %d\n", i, k, found);
  for (;;) {
    if (--k < 100) break;
    if (k % 2) continue;
    h[k] = 0;
  }
  printf("%d\n", k);
  return !found;
}
