#include <stdio.h>
#include <stdlib.h>

#define K 6
#define WORDS (1 << K)
#define LENGTH 31

/* The joint weight distribution of the (31, 6) BCH code: all pairs of words, in 32 x 32 x 32 bins of 64 bits. */
static unsigned long long joint[32][32][32];

#pragma acc routine seq
static int weight(unsigned int word) {
  word = word - ((word >> 1) & 0x55555555u);
  word = (word & 0x33333333u) + ((word >> 2) & 0x33333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0fu;
  return (int)((word * 0x01010101u) >> 24);
}

/* The generator of degree 25: the product of the minimal polynomials of a, a^3, .. a^11 over GF(32). */
static unsigned int generator(void) {
  unsigned int power[LENGTH], roots = 0, product[LENGTH + 1] = {1};
  int log[32], degree = 0;
  for (unsigned int e = 1, i = 0; i < LENGTH; i++) {
    power[i] = e;
    log[e] = (int)i;
    e <<= 1;
    if (e & 32) e ^= 37;
  }
  for (int first = 1; first <= 11; first += 2) {
    int e = first;
    while (!((roots >> e) & 1)) {
      roots |= 1u << e;
      for (int i = degree + 1; i > 0; i--) {
        unsigned int times = product[i] == 0 ? 0 : power[(log[product[i]] + e) % LENGTH];
        product[i] = product[i - 1] ^ times;
      }
      product[0] = product[0] == 0 ? 0 : power[(log[product[0]] + e) % LENGTH];
      degree++;
      e = 2 * e % LENGTH;
    }
  }
  unsigned int bits = 0;
  for (int i = 0; i <= degree; i++) bits |= product[i] << i;
  printf("degree %d, generator %08x\n", degree, bits);
  return bits;
}

int main(void) {
  unsigned int g = generator();
  unsigned int *words = (unsigned int *)malloc(WORDS * sizeof(unsigned int));
  unsigned long long pairs = 0, unlike = 0;
  for (int i = 0; i < WORDS; i++) {
    words[i] = 0;
    for (int bit = 0; bit < K; bit++)
      if ((i >> bit) & 1) words[i] ^= g << bit;
  }
#pragma acc parallel loop collapse(2) copyin(words[0:WORDS]) copy(joint)
  for (int i = 0; i < WORDS; i++)
    for (int j = 0; j < WORDS; j++) {
      int a = weight(words[i]), b = weight(words[j]), both = weight(words[i] & words[j]);
#pragma acc atomic update
      joint[a][b][both] += 1;
    }
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 32; j++)
      for (int l = 0; l < 32; l++) {
        unsigned long long count = joint[i][j][l];
        if (count == 0) continue;
        pairs += count;
        printf("%2d %2d %2d: %llu\n", i, j, l, count);
        /* The sum of two words has their weights less twice what they have in common. */
        if (count != joint[i][i + j - 2 * l][i - l]) unlike++;
      }
  printf("%llu pairs, %llu unlike their sums\n", pairs, unlike);
  free(words);
  return unlike != 0;
}
