#include <stdio.h>
#include <stdlib.h>

/* A set of bits and a parity per bin: `|=`, `^=`, `&=`. */
int main(void) {
  const int n = 1200;
  unsigned *seen = (unsigned *)calloc(32, sizeof(unsigned));
  unsigned *parity = (unsigned *)calloc(32, sizeof(unsigned));
  unsigned *all = (unsigned *)malloc(32 * sizeof(unsigned));
  for (int i = 0; i < 32; i++) all[i] = ~0u;
#pragma acc parallel loop copy(seen[0:32], parity[0:32], all[0:32])
  for (int i = 0; i < n; i++) {
    unsigned b = (unsigned)(i * 2654435761u) >> 27;
#pragma acc atomic
    seen[b] |= 1u << (i % 31);
#pragma acc atomic
    parity[b] ^= (unsigned)i;
#pragma acc atomic
    all[b] &= 0xfffffff0u | (unsigned)(i & 15);
  }
  unsigned h = 2166136261u;
  for (int i = 0; i < 32; i++) {
    h = (h ^ seen[i]) * 16777619u;
    h = (h ^ parity[i]) * 16777619u;
    h = (h ^ all[i]) * 16777619u;
  }
  printf("%08x\n", h);
  free(seen); free(parity); free(all);
  return 0;
}
