/* Numbers with what stands behind them, options in the way of the first C book, formats that a condition chooses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int number(const char *arg, long *out) {
  char *end;
  long v = strtol(arg, &end, 0);
  if (end == arg || *end != '\0') return 0;
  *out = v;
  return 1;
}

static char *copy_of(const char *s) {
  size_t n = strlen(s) + 1;
  char *copy = malloc(n);
  if (copy) memcpy(copy, s, n);
  return copy;
}

static int even(int v) { return v % 2 == 0; }
static int small(int v) { return v < 10; }

int main(int argc, char **argv) {
  const char *tries[] = {"12", "0x1F", "017", "-5x", "", "abc", " +7"};
  int (*tests[])(int) = {even, small};
  char line[] = "1.5 -2e3 4. .25 xyz", *p = line, *q;
  int hist[4] = {0}, values[64], n = 64, found = 0;
  double sum = 0;
  while (--argc > 0 && (*++argv)[0] == '-') {
    switch ((*argv)[1]) {
      case 'n': n = atoi(*++argv); argc--; break;
      default: printf("unknown option %s\n", *argv);
    }
  }
  for (int i = 0; i < 7; i++) {
    long v = -1;
    char *copy = copy_of(tries[i]);
    int ok = number(copy, &v);
    printf(ok ? "%s is %ld\n" : "%s is none, %ld\n", tries[i], v);
    free(copy);
  }
  for (;;) {
    double x = strtod(p, &q);
    if (q == p) break;
    sum += x;
    found++;
    p = q;
  }
  printf("%d numbers, sum %.3f, rest '%s'\n", found, sum, p);
  for (int i = 0; i < n; i++) values[i] = (i * 7) % 19;
#pragma acc parallel loop copyin(values[0:n]) copy(hist)
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    hist[values[i] % 4]++;
  }
  for (int t = 0; t < 2; t++) printf("%d ", tests[t](hist[t]));
  printf("%d %d %d %d\n", hist[0], hist[1], hist[2], hist[3]);
  return 0;
}
