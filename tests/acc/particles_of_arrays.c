/* Particles as a struct of arrays that is passed by pointer: forces, a step in time, the energy. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef double real;
typedef struct {
  int n;
  real *x, *y, *z, *vx, *vy, *vz, *m;
  real energy;
} particles_t;

static void forces(particles_t *p, real dt, real eps2) {
  int n = p->n;
#pragma acc parallel loop gang vector
  for (int i = 0; i < n; i++) {
    real fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < n; j++) {
      real dx = p->x[j] - p->x[i];
      real dy = p->y[j] - p->y[i];
      real dz = p->z[j] - p->z[i];
      real d2 = dx * dx + dy * dy + dz * dz + eps2;
      real inv = 1.0 / sqrt(d2);
      real s = p->m[j] * inv * inv * inv;
      fx += s * dx;
      fy += s * dy;
      fz += s * dz;
    }
    p->vx[i] += dt * fx;
    p->vy[i] += dt * fy;
    p->vz[i] += dt * fz;
  }
}

static void move(particles_t *p, real dt) {
#pragma acc parallel loop
  for (int i = 0; i < p->n; i++) {
    p->x[i] += p->vx[i] * dt;
    p->y[i] += p->vy[i] * dt;
    p->z[i] += p->vz[i] * dt;
  }
}

static void kinetic(particles_t *p) {
  real e = 0;
#pragma acc parallel loop reduction(+ : e)
  for (int i = 0; i < p->n; i++)
    e += 0.5 * p->m[i] * (p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i]);
  p->energy = e;
}

int main(void) {
  particles_t p;
  p.n = 40;
  p.x = malloc(p.n * sizeof(real));
  p.y = malloc(p.n * sizeof(real));
  p.z = malloc(p.n * sizeof(real));
  p.vx = calloc(p.n, sizeof(real));
  p.vy = calloc(p.n, sizeof(real));
  p.vz = calloc(p.n, sizeof(real));
  p.m = malloc(p.n * sizeof(real));
  for (int i = 0; i < p.n; i++) {
    p.x[i] = sin(0.7 * i);
    p.y[i] = cos(1.3 * i);
    p.z[i] = 0.1 * (i % 10);
    p.m[i] = 1.0 + i % 3;
  }
  for (int t = 0; t < 5; t++) {
    forces(&p, 0.01, 0.05);
    move(&p, 0.01);
  }
  kinetic(&p);
  printf("%.6f %.6f %.6f\n", p.energy, p.x[3], p.vz[39]);
  free(p.x);
  free(p.y);
  free(p.z);
  free(p.vx);
  free(p.vy);
  free(p.vz);
  free(p.m);
  return 0;
}
