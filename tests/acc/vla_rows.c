/* Rows of variable length, allocated in three ways. */
#include <stdio.h>
#include <stdlib.h>
void matmul(int n, double a[n][n], double b[n][n], double c[n][n])
{
#pragma acc parallel loop collapse(2) copyin(a[0:n][0:n], b[0:n][0:n]) copyout(c[0:n][0:n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
#pragma acc loop reduction(+:s)
      for (int k = 0; k < n; k++)
        s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 17;
  double (*a)[n] = malloc(sizeof(double[n][n]));
  double (*b)[n] = malloc(n * sizeof *b);
  double (*c)[n] = (double (*)[n])malloc(n * n * sizeof(double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) { a[i][j] = i + j; b[i][j] = i == j; }
  matmul(n, a, b, c);
  double tr = 0;
  for (int i = 0; i < n; i++) tr += c[i][i];
  printf("%g\n", tr);
  free(a); free(b); free(c);
  return 0;
}
