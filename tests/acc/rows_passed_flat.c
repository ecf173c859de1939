/* Arrays of arrays passed as one array of their elements, and rows passed as rows. */
#include <stdio.h>
#include <stdlib.h>
#define N 6
#define M 4
static double grid[N][M];
static float cube[2][3][4];
static void fill(double *a, int n) { for (int i = 0; i < n; i++) a[i] = i; }
static double sum(const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static void fillf(float *p, int n, float v) { while (n-- > 0) *p++ = v + n; }
static double row(const double *r) { double s = 0; for (int j = 0; j < M; j++) s += r[j]; return s; }
int main(void) {
  double (*a)[M] = malloc(N * sizeof *a);
  double local[N][M];
  fill(&grid[0][0], N * M);
  fill((double *)local, N * M);
  fill(&a[0][0], N * M);
  fill(&a[2][1], 5);
  printf("%g %g %g\n", sum(&grid[0][0], N * M), sum((double *)local, N * M), sum(&a[1][2], N * M - 6));
  fillf((float *)cube, 24, 0.5f);
  fillf(&cube[1][0][0], 12, 2.0f);
  printf("%g %g %g\n", cube[0][0][0], cube[1][2][3], row(grid[3]) + row(&a[2][0]));
  free(a);
  return 0;
}
