#include <stdio.h>
#include <stdint.h>

static uint32_t rotl(uint32_t x, int k) { return (x << k) | (x >> (32 - k)); }

static uint64_t splitmix(uint64_t *s) {
  uint64_t z = (*s += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

int main(void) {
  unsigned char c = 250;
  c += 10;
  signed char s = 127;
  s++;
  unsigned short us = 0;
  us--;
  unsigned u = 3;
  u -= 5;
  int i = -7;
  printf("%d %d %u %u\n", c, s, us, u);
  printf("%d %d %d %u\n", i / 2, i % 3, i >> 1, (unsigned)i >> 28);
  printf("%d\n", (unsigned)i < 3u);
  printf("%d\n", -1 < 1u);
  uint64_t seed = 1;
  uint32_t x = 0x12345678u;
  for (int k = 0; k < 5; k++)
    x = rotl(x, 7) ^ (uint32_t)splitmix(&seed);
  printf("%08x %llx\n", x, (unsigned long long)splitmix(&seed));
  int bits = 0;
  for (unsigned m = x; m; m &= m - 1)
    bits++;
  printf("%d %d %d\n", bits, ~5 & 0xff, !bits);
  int64_t big = (int64_t)1 << 40;
  int trunc = (int)(big + 17);
  printf("%ld %d %d\n", (long)big, trunc, (int)3.99);
  float f = 16777217;
  printf("%.1f %d\n", f, (int)(char)200);
  return 0;
}
