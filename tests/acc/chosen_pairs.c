/* Several pointers that one condition chooses, locals and globals among them, also for one call. */
#include <stdio.h>
#include <stdlib.h>
static void add(const double *a, const double *b, double *c, int n) { for (int i = 0; i < n; i++) c[i] = a[i] + b[i]; }
double ga[8], gb[8];
int mode;
static void toggle(void) { mode = !mode; }
int main(void) {
  double la[8], lb[8];
  for (int i = 0; i < 8; i++) { la[i] = i; lb[i] = 2 * i; ga[i] = 3 * i; gb[i] = 1; }
  for (int t = 0; t < 4; t++) {
    double *p = mode ? ga : gb, *q = mode ? la : lb, *r = t > 1 ? la : gb;
    toggle();
    add(p, q, r, 8);
    p[t] += 1; q[t] -= 1;
    toggle(); toggle();
    add(mode ? ga : gb, mode ? gb : ga, mode ? la : lb, 8);
  }
  double s = 0; for (int i = 0; i < 8; i++) s += la[i] + 3 * lb[i] + 5 * ga[i] + 7 * gb[i];
  printf("%g\n", s);
  return 0;
}
