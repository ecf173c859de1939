#include <stdio.h>
#include <stdlib.h>
#include <math.h>

typedef struct { double pos[3], vel[3], mass; } Body;

static void forces(Body *b, int n, double (*f)[3]) {
#pragma acc parallel loop copyin(b[0:n]) copyout(f[0:n][0:3])
  for (int i = 0; i < n; i++) {
    double fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < n; j++) {
      if (i == j) continue;
      double d[3];
      for (int k = 0; k < 3; k++) d[k] = b[j].pos[k] - b[i].pos[k];
      double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-6;
      double s = b[j].mass / (r2 * sqrt(r2));
      fx += s * d[0];
      fy += s * d[1];
      fz += s * d[2];
    }
    f[i][0] = fx;
    f[i][1] = fy;
    f[i][2] = fz;
  }
}

static double energy(const Body *b, int n) {
  double e = 0.0;
  for (const Body *p = b; p != b + n; ++p)
    e += 0.5 * p->mass * (p->vel[0] * p->vel[0] + p->vel[1] * p->vel[1] + p->vel[2] * p->vel[2]);
  return e;
}

int main(void) {
  enum { n = 20 };
  Body b[n];
  double f[n][3];
  for (int i = 0; i < n; i++) {
    Body *p = &b[i];
    p->mass = 1.0 + i % 3;
    for (int k = 0; k < 3; k++) {
      p->pos[k] = ((i * (k + 3) * 7) % 23) / 23.0;
      p->vel[k] = 0.0;
    }
  }
  for (int step = 0; step < 5; step++) {
    forces(b, n, f);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 3; k++) {
        b[i].vel[k] += 0.001 * f[i][k];
        b[i].pos[k] += 0.001 * b[i].vel[k];
      }
  }
  printf("%.10e\n", energy(b, n));
  return 0;
}
