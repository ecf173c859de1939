#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define NX 40
#define NY 20
double (*u)[NX], (*unew)[NX];
int *mask;
static double residual(void) {
  double r = 0;
  for (int j = 1; j < NY - 1; j++) for (int i = 1; i < NX - 1; i++) r += fabs(unew[j][i] - u[j][i]);
  return r;
}
int main(void) {
  u = malloc(sizeof(double[NY][NX]));
  unew = malloc(NY * sizeof(*unew));
  mask = malloc(NX * NY * sizeof(int));
  for (int j = 0; j < NY; j++) for (int i = 0; i < NX; i++) { u[j][i] = unew[j][i] = (j == 0); mask[j * NX + i] = (i + j) & 1; }
  double r = 0; int k;
  for (k = 0; k < 30; k++) {
    for (int j = 1; j < NY - 1; j++) for (int i = 1; i < NX - 1; i++)
      unew[j][i] = mask[j * NX + i] ? 0.25 * (u[j-1][i] + u[j+1][i] + u[j][i-1] + u[j][i+1]) : u[j][i];
    r = residual();
    for (int j = 1; j < NY - 1; j++) for (int i = 1; i < NX - 1; i++) u[j][i] = unew[j][i];
    if (r < 1e-3) break;
  }
  printf("%d %.8f\n", k, r);
  free(u); free(unew); free(mask);
  return 0;
}
