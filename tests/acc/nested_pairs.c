#include <stdio.h>
#include <stdlib.h>
#include <math.h>

/* Radial distribution: a histogram of the distances of all pairs. */
typedef struct {
  double x, y, z;
} Point;

#define NP 120
#define NB 40

int main(void) {
  Point *p = (Point *)malloc(NP * sizeof(Point));
  int g[NB] = {0};
  for (int i = 0; i < NP; i++) {
    p[i].x = (i * 17 % 101) / 101.0;
    p[i].y = (i * 29 % 103) / 103.0;
    p[i].z = (i * 41 % 107) / 107.0;
  }
#pragma acc parallel loop gang copyin(p[0:NP]) copy(g)
  for (int i = 0; i < NP; i++) {
#pragma acc loop vector
    for (int j = i + 1; j < NP; j++) {
      double dx = p[i].x - p[j].x;
      double dy = p[i].y - p[j].y;
      double dz = p[i].z - p[j].z;
      double r = sqrt(dx * dx + dy * dy + dz * dz);
      int b = (int)(r / 1.8 * NB);
      if (b < NB) {
#pragma acc atomic update
        g[b]++;
      }
    }
  }
  int total = 0;
  for (int b = 0; b < NB; b++) {
    total += g[b];
    if (g[b])
      printf("%d:%d ", b, g[b]);
  }
  printf("\n");
  free(p);
  return total != NP * (NP - 1) / 2;
}
