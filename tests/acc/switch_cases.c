#include <stdio.h>

enum op { ADD, SUB = 4, MUL, NOP };

static int apply(enum op o, int a, int b) {
  int r = 0;
  switch (o) {
  case ADD:
    r = a + b;
    break;
  case SUB:
    r = a - b;
    break;
  case MUL: {
    int t = a;
    r = t * b;
    break;
  }
  default:
    return -1;
  }
  return r;
}

static int fall(int x) {
  int s = 0;
  switch (x) {
  case 3:
    s += 3;
  case 2:
    s += 2;
    /* fall through */
  case 1:
    s += 1;
    break;
  case 10 ... 12:
    s = 100;
    break;
  case 'a':
  case 'b':
    if (x == 'b') break;
    s = 200;
    break;
  }
  return s;
}

int main(void) {
  int bases[4] = {0};
  const char *dna = "ACGTACGGTTTACA";
  for (int i = 0; dna[i] != '\0'; i++) {
    switch (dna[i]) {
    case 'A': bases[0]++; break;
    case 'C': bases[1]++; break;
    case 'G': bases[2]++; break;
    case 'T': bases[3]++; break;
    }
  }
  printf("%d %d %d %d\n", bases[0], bases[1], bases[2], bases[3]);
  printf("%d %d %d %d\n", apply(ADD, 2, 3), apply(SUB, 2, 3), apply(MUL, 2, 3), apply(NOP, 2, 3));
  printf("%d %d %d %d %d %d %d\n", fall(0), fall(1), fall(2), fall(3), fall(11), fall('a'), fall('b'));
  return 0;
}
