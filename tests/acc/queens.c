#include <stdio.h>
#include <stdlib.h>
static int grid[8][8], solutions, attempts;
static int safe(int q[], int row, int col) {
  for (int i = 0; i < row; i++)
    if (q[i] == col || abs(q[i] - col) == row - i) return 0;
  return 1;
}
static void solve(int q[8], int row) {
  attempts++;
  if (row == 8) { solutions++; for (int i = 0; i < 8; i++) grid[i][q[i]]++; return; }
  for (int c = 0; c < 8; c++)
    if (safe(q, row, c)) { q[row] = c; solve(q, row + 1); }
}
int main() {
  int q[8];
  solve(q, 0);
  int total = 0, i, j;
  for (i = 0; i < 8; i++) { for (j = 0; j < 8; j++) total += grid[i][j] * (i ^ j); }
  printf("%d %d %d\n", solutions, attempts, total);
  long long f[2] = {0, 1};
  int k = 0;
  do { long long t = f[0] + f[1]; f[0] = f[1]; f[1] = t; } while (++k < 50);
  printf("%lld\n", f[1]);
  return 0;
}
