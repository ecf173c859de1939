/* Null pointers: set, asked for, and the result of an assignment within a condition. */
#include <stdio.h>
#include <stdlib.h>
typedef struct { int id; double w; } Node;
#define CHK(call) do { if ((call) == NULL) { fprintf(stderr, "fail\n"); exit(1); } } while (0)
int main(int argc, char **argv) {
  double a[10];
  double *p = NULL, *q = NULL, *r, *s;
  if ((r = malloc(10 * sizeof(double))) == NULL) return 2;
  CHK(s = (double *)calloc(5, sizeof(double)));
  if (!(q = malloc(sizeof(double) * 3))) return 3;
  for (int i = 0; i < 10; i++) { a[i] = i; r[i] = 2 * i; }
  s[4] = 1; q[2] = 7;
  Node nodes[4] = { {1, .5}, {2, 1.5}, {3, .25}, {4, 3} };
  Node *best = NULL;
  for (int i = 0; i < 4; i++) {
    if (nodes[i].w > 2.0 + argc) best = &nodes[i];
  }
  if (best != NULL) printf("best %d\n", best->id); else printf("none\n");
  for (int i = 0; i < 4; i++) if (nodes[i].w > 1.0 && (best == NULL || nodes[i].w > best->w)) best = &nodes[i];
  if (best) printf("best %d\n", best->id);
  if (p) printf("set\n"); else printf("unset\n");
  if (argc > 0) p = a + 3;
  if (!p) return 1;
  printf("%g %g %g %g\n", *p, r[9], s[4], q[2]);
  p = NULL;
  printf("%d\n", p == NULL);
  printf("[%4.0d] [%.0d] [%.3d] [%8.3d] [%-8.3d] [%+.2d] [%.5x] [%08.3d] [% .3d] [%.*d] [%3.2u]\n", 12, 0, -5, -5, 5, 5, 255, 7, 4, 4, 9, 3u);
  free(q); free(r); free(s);
  return 0;
}
