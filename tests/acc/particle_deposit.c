#include <stdio.h>
#include <stdlib.h>
#include <math.h>

/* Cloud in cell: each particle adds to four cells. */
typedef struct {
  float x, y, q;
} particle_t;

int main(void) {
  const int np = 2000, nx = 16, ny = 16;
  particle_t *p = (particle_t *)malloc(np * sizeof(particle_t));
  double *rho = (double *)malloc((nx + 1) * (ny + 1) * sizeof(double));
  srand(3);
  for (int i = 0; i < np; i++) {
    p[i].x = (float)rand() / ((float)RAND_MAX + 1.0f) * nx;
    p[i].y = (float)rand() / ((float)RAND_MAX + 1.0f) * ny;
    p[i].q = i % 2 ? 1.0f : 0.5f;
  }
  for (int i = 0; i < (nx + 1) * (ny + 1); ++i) rho[i] = 0.0;
#pragma acc parallel loop copyin(p[0:np]) copy(rho[0:(nx+1)*(ny+1)])
  for (int i = 0; i < np; i++) {
    int ix = (int)p[i].x, iy = (int)p[i].y;
    if (ix >= nx) ix = nx - 1;
    if (iy >= ny) iy = ny - 1;
    double fx = p[i].x - ix, fy = p[i].y - iy;
    double q = p[i].q;
    int c = iy * (nx + 1) + ix;
#pragma acc atomic update
    rho[c] += q * (1 - fx) * (1 - fy);
#pragma acc atomic update
    rho[c + 1] += q * fx * (1 - fy);
#pragma acc atomic update
    rho[c + nx + 1] += q * (1 - fx) * fy;
#pragma acc atomic update
    rho[c + nx + 2] += q * fx * fy;
  }
  double total = 0;
  for (int i = 0; i < (nx + 1) * (ny + 1); i++) total += rho[i];
  printf("total charge %.6f\n", total);
  free(p);
  free(rho);
  return fabs(total - 1500.0) > 1e-6;
}
