/* Jacobi relaxation as in the courses: a data region, an error that is reduced, a copy back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NX 34
#define NY 26

static double A[NY][NX], Anew[NY][NX];

int main(void) {
  const double tol = 1.0e-3;
  const int iter_max = 60;
  double error = 1.0;
  int iter = 0;
  memset(A, 0, sizeof(A));
  for (int j = 0; j < NY; j++) {
    A[j][0] = 1.0;
    Anew[j][0] = 1.0;
  }
#pragma acc data copy(A) create(Anew)
  while (error > tol && iter < iter_max) {
    error = 0.0;
#pragma acc parallel loop reduction(max : error) collapse(2)
    for (int j = 1; j < NY - 1; j++) {
      for (int i = 1; i < NX - 1; i++) {
        Anew[j][i] = 0.25 * (A[j][i + 1] + A[j][i - 1] + A[j - 1][i] + A[j + 1][i]);
        error = fmax(error, fabs(Anew[j][i] - A[j][i]));
      }
    }
#pragma acc parallel loop collapse(2)
    for (int j = 1; j < NY - 1; j++)
      for (int i = 1; i < NX - 1; i++)
        A[j][i] = Anew[j][i];
    if (iter % 20 == 0)
      printf("%5d, %0.6f\n", iter, error);
    iter++;
  }
  printf("%d %.6f %.6f\n", iter, A[NY / 2][NX / 2], error);
  return 0;
}
