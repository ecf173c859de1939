#include <stdio.h>
#define N 30

int main(void) {
  static int grid[N][N];
  int rows[N], hist[9];
  for (int i = 0; i < N; i++) rows[i] = 0;
  for (int i = 0; i < 9; i++) hist[i] = 0;
#pragma acc parallel loop tile(4, 8) copyout(grid)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      grid[i][j] = (i * j) % 9;
#pragma acc parallel loop collapse(2) copyin(grid) copy(rows, hist)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
#pragma acc atomic
      rows[i] += grid[i][j];
#pragma acc atomic
      hist[grid[i][j]]++;
    }
  int s = 0;
  for (int i = N - 1; i >= 0; i--) s = s * 3 + rows[i] % 5;
  for (int i = 0; i < 9; i += 2) printf("%d ", hist[i]);
  printf("%d\n", s);
  return 0;
}
