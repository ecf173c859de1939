#include <stdio.h>
#include <stdlib.h>

/* A table of tests that ends with a null one, and a global record that is passed on while other globals are in use. */
struct field {
  int n;
  double *cells;
};

static struct {
  int id;
  struct field field;
} chunk;

static double scale = 0.5;
static int step;

typedef int (*test)(void);

static int positive(void) {
  for (int i = 0; i < chunk.field.n; i++)
    if (chunk.field.cells[i] <= 0) return 0;
  return 1;
}

static int rising(void) {
  for (int i = 1; i < chunk.field.n; i++)
    if (chunk.field.cells[i] < chunk.field.cells[i - 1]) return 0;
  return 1;
}

static struct {
  const char *name;
  test run;
} tests[] = {{"positive", positive}, {"rising", &rising}, {NULL, NULL}};

static void fill(struct field *f, int n) {
  double *cells;
  f->n = n;
  f->cells = (double *)malloc(n * sizeof(double));
  cells = f->cells;
#pragma acc parallel loop copyout(cells[0:n])
  for (int i = 0; i < n; i++) cells[i] = (i * 37 % n) + 1;
}

static void relax(struct field *f) {
  double *cells = f->cells;
  int n = f->n;
#pragma acc parallel loop copy(cells[0:n])
  for (int i = 0; i < n; i++) cells[i] = scale * (cells[i] + i);
}

static void summary(const struct field *f) {
  static int called = 0;
  double sum = 0;
  for (int i = 0; i < f->n; i++) sum += f->cells[i];
  if (!called++) printf("%4s %10s\n", "step", "mean");
  printf("%4d %10.4f\n", step, sum / f->n);
}

static const char *failed(test last) { return last ? "a later test" : "no test"; }

int main(void) {
  struct field *f = &chunk.field;
  test last = NULL;
  fill(&chunk.field, 50);
  for (step = 0; step < 4; step++) {
    struct field *g = &chunk.field;
    relax(g);
    summary(g);
  }
  for (int i = 0; tests[i].name != NULL; i++) {
    int ok = tests[i].run();
    printf("%-10s %s\n", tests[i].name, ok ? "ok" : "FAILED");
    if (!ok) last = tests[i].run;
  }
  printf("%s failed\n", failed(last));
  printf("%d\n", last != NULL && last() == 0);
  free(f->cells);
  return 0;
}
