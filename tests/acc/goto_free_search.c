#include <stdio.h>
#include <stdlib.h>

/* Breaks out of loops inside a switch, continues in a for with a step that is not simple. */
int main(void) {
  int found = -1, odd = 0;
  for (int i = 2, j = 100; i < j; i++, j -= 2) {
    if (i % 2) {
      odd++;
      continue;
    }
    switch (i % 5) {
    case 0:
      if (j % 3 == 0) found = i;
      break;
    case 1:
      continue;
    default:
      odd += 0;
    }
    if (found > 0) break;
  }
  int primes = 0;
  for (int i = 2; i < 200; i++) {
    int is = 1;
    for (int k = 2; k * k <= i; k++)
      if (i % k == 0) {
        is = 0;
        break;
      }
    primes += is;
  }
  printf("%d %d %d\n", found, odd, primes);
  return 0;
}
