#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Levels of a pyramid in one block, which calls get two parts of at a time; and what its report needs. */
#define LEVELS 4
#define FINEST 64

typedef int (*probe)(const int *level, const int range[2]);

static int first[LEVELS + 1], size[LEVELS];

static int total(const int *level, const int range[2]) {
  int sum = 0;
  for (int i = range[0]; i < range[1]; i++) sum += level[i];
  return sum;
}

static int highest(const int *level, const int range[2]) {
  int best = level[range[0]];
  for (int i = range[0]; i < range[1]; i++) best = level[i] > best ? level[i] : best;
  return best;
}

static const struct {
  const char *name;
  probe look;
} probes[] = {{"total", total}, {"highest", highest}};

static void halve(const int *fine, int n, int *coarse) {
#pragma acc parallel loop copyin(fine[0:2*n]) copyout(coarse[0:n])
  for (int i = 0; i < n; i++) coarse[i] = fine[2 * i] + fine[2 * i + 1];
}

static void spread(const int *coarse, int n, int *fine) {
#pragma acc parallel loop copyin(coarse[0:n]) copy(fine[0:2*n])
  for (int i = 0; i < 2 * n; i++) fine[i] += coarse[i / 2] % 7;
}

/* Letters of a seeded sequence; the caller takes them as bytes. */
static char *letters(int n) {
  char *text = malloc(n + 1);
  unsigned state = 2463534242u;
  if (!text) return NULL;
  for (int i = 0; i < n; i++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    text[i] = 'a' + state % 26;
  }
  text[n] = '\0';
  return text;
}

static void bits_of(int value, char *out) {
  char digits[33];
  int n = 0;
  for (; value > 0; value /= 2) digits[n++] = '0' + value % 2;
  digits[n] = '\0';
  for (int i = 0; i < n / 2; i++) {
    char c = digits[i];
    digits[i] = digits[n - 1 - i];
    digits[n - 1 - i] = c;
  }
  strcpy(out, n ? digits : "none");
}

int main(void) {
  int *pyramid;
  unsigned char *bytes = (unsigned char *)letters(FINEST * 8);
  if (bytes == NULL) return 1;
  for (int k = 0; k < LEVELS; k++) {
    size[k] = FINEST >> k;
    first[k + 1] = first[k] + size[k];
  }
  pyramid = calloc(first[LEVELS], sizeof(int));
#pragma acc parallel loop copyin(bytes[0:FINEST*8]) copy(pyramid[0:first[LEVELS]])
  for (int i = 0; i < FINEST * 8; i++) {
#pragma acc atomic update
    pyramid[bytes[i] % FINEST]++;
  }
  for (int k = 0; k + 1 < LEVELS; k++) halve(&pyramid[first[k]], size[k + 1], &pyramid[first[k + 1]]);
  for (int k = LEVELS - 1; k > 1; k--) spread(pyramid + first[k], size[k], pyramid + first[k - 1]);
  spread(&pyramid[first[1]], size[1], pyramid);

  for (size_t p = 0; p < sizeof probes / sizeof *probes; p++)
    for (int k = 0; k < LEVELS; k++) {
      const int range[2] = {k, size[k]};
      char bits[33];
      int value = probes[p].look(&pyramid[first[k]], range);
      bits_of(value, bits);
      printf("%-8s level %d: %#06x %#o %#08X %s\n", probes[p].name, k, value, value, value % 256, bits);
    }
  printf("%#04x %#04x\n", 0, 7);
  free(pyramid);
  free(bytes);
  return 0;
}
