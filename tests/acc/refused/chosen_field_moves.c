// ACC2RS1301: the field that a pointer was chosen from points elsewhere while the pointer is used.
#include <stdio.h>
#include <stdlib.h>
typedef struct { double *a, *b; int n; } Grid;
static void turn(Grid *g) { double *t = g->a; g->a = g->b; g->b = t; }
int main(int argc, char **argv) {
  Grid g = { malloc(8 * sizeof(double)), malloc(8 * sizeof(double)), 8 };
  for (int i = 0; i < g.n; i++) { g.a[i] = i; g.b[i] = -i; }
  double *p = argc > 1 ? g.a : g.b;
  turn(&g);
  p[3] = 7;
  printf("%g %g\n", g.a[3], g.b[3]);
  free(g.a);
  free(g.b);
  return 0;
}
