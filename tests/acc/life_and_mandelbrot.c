#include <stdio.h>
#include <stdlib.h>

#define ROWS 20
#define COLS 24
#define MAXITER 60

static int grid[2][ROWS][COLS];

#pragma acc routine seq
static int neighbours(int g[ROWS][COLS], int r, int c) {
  int n = 0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      if (i || j) n += g[(r + i + ROWS) % ROWS][(c + j + COLS) % COLS];
  return n;
}

#pragma acc routine seq
static int escape(double cx, double cy) {
  double zx = 0.0, zy = 0.0;
  int it = 0;
  while (zx * zx + zy * zy < 4.0 && it < MAXITER) {
    double t = zx * zx - zy * zy + cx;
    zy = 2.0 * zx * zy + cy;
    zx = t;
    ++it;
  }
  return it;
}

int main(void) {
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLS; c++) grid[0][r][c] = (r * 7 + c * 11) % 3 == 0;
  int now = 0;
  for (int step = 0; step < 8; step++) {
#pragma acc parallel loop collapse(2) copy(grid)
    for (int r = 0; r < ROWS; r++)
      for (int c = 0; c < COLS; c++) {
        int n = neighbours(grid[now], r, c);
        grid[1 - now][r][c] = n == 3 || (n == 2 && grid[now][r][c]);
      }
    now = 1 - now;
  }
  int alive = 0;
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLS; c++) alive += grid[now][r][c];
  int *hist = (int *)calloc(MAXITER + 1, sizeof(int));
#pragma acc parallel loop collapse(2) copy(hist[0:MAXITER+1])
  for (int y = 0; y < 40; y++)
    for (int x = 0; x < 60; x++) {
      int k = escape(-2.0 + 3.0 * x / 60, -1.0 + 2.0 * y / 40);
#pragma acc atomic update
      hist[k] += 1;
    }
  printf("%d alive, %d inside, %d fast\n", alive, hist[MAXITER], hist[1] + hist[2]);
  free(hist);
  return 0;
}
