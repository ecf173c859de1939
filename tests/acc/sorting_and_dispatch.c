/* Functions as values: a table of tests, an integrand, and the comparison of `qsort`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*check)(void);
struct named_check { const char *name; check run; };
struct peak { int bin, height; };

static int n = 4000;
static int hist[64];

static int fills(void) {
  int total = 0;
#pragma acc parallel loop copy(hist)
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    hist[(i * 37 + i / 11) % 64]++;
  }
  for (int b = 0; b < 64; b++) total += hist[b];
  return total == n;
}

static int always(void) { return 1; }

static const struct named_check checks[] = {{"fills", fills}, {"always", always}};

static int by_height(const void *a, const void *b) {
  const struct peak *p = a, *q = b;
  return q->height != p->height ? q->height - p->height : p->bin - q->bin;
}

static int rising(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double midpoints(double (*f)(double), double a, double b, int steps) {
  double h = (b - a) / steps, sum = 0;
  for (int i = 0; i < steps; i++) sum += f(a + (i + 0.5) * h);
  return sum * h;
}

static double square(double x) { return x * x; }

int main(void) {
  struct peak peaks[64];
  double samples[9];
  for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
    printf("%s: %s\n", checks[i].name, checks[i].run() ? "ok" : "failed");
  for (int b = 0; b < 64; b++) {
    peaks[b].bin = b;
    peaks[b].height = hist[b];
  }
  qsort(peaks, 64, sizeof(struct peak), by_height);
  for (int i = 0; i < 5; i++) printf("%d:%d ", peaks[i].bin, peaks[i].height);
  for (int i = 0; i < 9; i++) samples[i] = (i * 5) % 9 / 2.0;
  qsort(samples, 9, sizeof *samples, rising);
  printf("\n%g %g %g\n", samples[0], samples[4], samples[8]);
  double (*f)(double) = hist[0] > n ? sin : square;
  printf("%.6f %.6f\n", midpoints(f, 0, 3, 100), midpoints(&cos, 0, 1, 100));
  return 0;
}
