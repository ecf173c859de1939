#include <stdio.h>

/* A captured value orders the iterations; the sequential order is one of the allowed ones. */
int main(void) {
  int count = 0, slots[64], in[200];
  for (int i = 0; i < 200; i++)
    in[i] = (i * 13) % 50;
  for (int i = 0; i < 64; i++)
    slots[i] = -1;
#pragma acc parallel loop copy(count, slots) copyin(in)
  for (int i = 0; i < 200; i++) {
    if (in[i] < 10) {
      int at;
#pragma acc atomic capture
      at = count++;
      if (at < 64)
        slots[at] = i;
    }
  }
  int filled = 0;
  for (int i = 0; i < 64; i++)
    if (slots[i] >= 0)
      filled++;
  printf("%d %d\n", count, filled);
  return count != filled;
}
