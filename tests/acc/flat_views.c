/* Locals that name all elements of an array of arrays. */
#include <stdio.h>
#include <stdlib.h>
#define N 6
#define M 5
typedef struct { double flux[3][N]; int hits; } Tally;
static double grid[N][M];
static int cube[2][3][4];
static double sum(const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static void score(Tally *t, int n) {
  double *flux = &t->flux[0][0];
#pragma acc parallel loop copy(flux[0:3*N])
  for (int i = 0; i < n; i++) {
    int g = i % 3, c = (i * 7) % N;
#pragma acc atomic update
    flux[g * N + c] += 0.5 * i;
  }
  t->hits += n;
  printf("%g\n", sum(flux, 3 * N));
}
int main(void) {
  Tally t = {{{0}}, 0};
  score(&t, 100);
  double *g = (double *)grid;
  for (int i = 0; i < N * M; i++) g[i] = i * 0.25;
  int *c = &cube[0][0][0];
#pragma acc parallel loop copy(c[0:24])
  for (int i = 0; i < 24; i++) c[i] = i * i;
  double *row = grid[0];
  for (int j = 0; j < M; j++) row[j] += 1;
  double *all = grid[0];
  for (int i = 0; i < N * M; i++) all[i] *= 2;
  printf("%g %g %g %g\n", grid[2][3], grid[0][1], *g, sum(g, N * M));
  printf("%d %d %d %d\n", cube[1][2][3], cube[0][2][1], cube[1][0][2], t.hits);
  for (int k = 0; k < 3; k++) printf("%g ", t.flux[k][k]);
  printf("\n");
  return 0;
}
