/* Check sums over `const void *`, the time as a value, memory that is freed in the block that got it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static uint32_t table[256];

static void make_table(void) {
  for (uint32_t n = 0; n < 256; n++) {
    uint32_t c = n;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    table[n] = c;
  }
}

static uint32_t check_sum(const void *data, size_t len) {
  const unsigned char *p = data;
  uint32_t c = ~(uint32_t)0;
  while (len--) c = table[(c ^ *p++) & 0xff] ^ (c >> 8);
  return ~c;
}

static unsigned char *drawn(int n) {
  unsigned char *out = malloc(n);
  for (int i = 0; i < n; i++) out[i] = (unsigned char)(i * 37 + n);
  return out;
}

int main(void) {
  struct timeval tv;
  int failed = gettimeofday(&tv, NULL), hist[8] = {0};
  make_table();
  printf("%08x\n", check_sum("123456789", 9));
  for (int n = 16; n < 64; n += 16) {
    unsigned char *bytes = drawn(n);
    printf("%08x\n", check_sum(bytes, n));
#pragma acc parallel loop copyin(bytes[0:n]) copy(hist)
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
      hist[bytes[i] >> 5]++;
    }
    free(bytes);
  }
  for (int b = 0; b < 8; b++) printf("%d%c", hist[b], b < 7 ? ' ' : '\n');
  return failed;
}
