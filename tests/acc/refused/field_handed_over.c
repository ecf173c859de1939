// ACC2RS1301: the memory of a field goes over to another one, and is used by the first one's name.
#include <stdio.h>
#include <stdlib.h>
typedef struct { double *a; int n; } Grid;
int main(void) {
  Grid g = { malloc(8 * sizeof(double)), 8 }, view;
  for (int i = 0; i < g.n; i++) g.a[i] = i;
  view.a = g.a;
  view.n = g.n;
  view.a[3] = 7;
  printf("%g\n", g.a[3]);
  free(g.a);
  return 0;
}
