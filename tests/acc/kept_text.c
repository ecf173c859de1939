#include <stdio.h>
#include <stdlib.h>

/* Text that functions keep in records and globals. */
typedef struct {
  const char *test, *unit;
  double value;
} Result;

static Result *results;
static int count, room;
static const char *last = "none";

static void keep(Result *to, const char *test, const char *unit) {
  const char *name = test;
  to->test = name;
  to->unit = unit;
}

static void add(const char *test, const char *unit, double value) {
  if (count == room) {
    room = room ? 2 * room : 2;
    results = (Result *)realloc(results, room * sizeof(Result));
  }
  keep(&results[count], test, unit);
  results[count++].value = value;
  last = test;
}

static const char *longer(const char *a, const char *b, int n) { return n > 2 ? a : b; }

int main(void) {
  double sum = 0;
  int hist[4] = {0};
#pragma acc parallel loop reduction(+:sum)
  for (int i = 0; i < 100; i++) sum += i;
#pragma acc parallel loop copy(hist)
  for (int i = 0; i < 100; i++) {
#pragma acc atomic
    hist[i * i % 4]++;
  }
  add("sum", "1", sum);
  add("zeros", "bins", hist[0]);
  add(longer("ones", "twos", count), "bins", hist[1]);
  for (int i = 0; i < count; i++) printf("%-6s %8.1f %s\n", results[i].test, results[i].value, results[i].unit);
  printf("%s\n", last);
  free(results);
  return 0;
}
