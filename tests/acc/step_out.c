#include <stdio.h>
#include <stdlib.h>
#include <malloc.h>
#include <string.h>
struct grid { int n, used; double *v[2], *work; double scale; };
static void relax(const struct grid *g, const double *in, double *out) {
  for (int i = 1; i < g->n - 1; i++) out[i] = g->scale * (in[i - 1] + in[i] + in[i + 1]);
}
static double add_up(struct grid *g, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  g->used++;
  return s;
}
int main(void) {
  struct grid g = {.n = 16, .scale = 1.0 / 3};
  for (int k = 0; k < 2; k++) {
    g.v[k] = memalign(64, g.n * sizeof(double));
    for (int i = 0; i < g.n; i++) g.v[k][i] = i % (k + 3);
  }
  g.work = calloc(g.n, sizeof(double));
  for (int s = 0; s < 3; s++)
    for (int k = 0; k < 2; k++) {
      relax(&g, g.v[k], g.work);
      double *t = g.v[k];
      g.v[k] = g.work;
      g.work = t;
    }
  printf("%.6f %.6f\n", add_up(&g, g.v[0], g.n), add_up(&g, g.work, 8));
  printf("%d\n", g.used);
  for (int k = 0; k < 2; k++) free(g.v[k]);
  free(g.work);
  return 0;
}
