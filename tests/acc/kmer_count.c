#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define K 4
#define TABLE (1 << (2 * K))

static inline int code(char c) {
  return c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : 3;
}

int main(void) {
  const int n = 4000;
  char *seq = (char *)malloc(n + 1);
  const char letters[] = "ACGT";
  unsigned long state = 88172645463325252UL;
  for (int i = 0; i < n; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    seq[i] = letters[state & 3];
  }
  seq[n] = '\0';
  int *table = (int *)calloc(TABLE, sizeof(int));
#pragma acc parallel loop copyin(seq[0:n]) copy(table[0:TABLE])
  for (int i = 0; i < n - K + 1; i++) {
    int kmer = 0;
    for (int j = 0; j < K; j++)
      kmer = (kmer << 2) | code(seq[i + j]);
#pragma acc atomic update
    table[kmer] += 1;
  }
  int distinct = 0, most = 0, who = 0;
  for (int i = 0; i < TABLE; i++) {
    if (table[i] > 0) distinct++;
    if (table[i] > most) {
      most = table[i];
      who = i;
    }
  }
  printf("%d distinct, most frequent ", distinct);
  for (int j = K - 1; j >= 0; j--) putchar(letters[(who >> (2 * j)) & 3]);
  printf(" (%d times)\n", most);
  free(seq);
  free(table);
  return strlen("abc") != 3;
}
