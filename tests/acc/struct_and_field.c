#include <stdio.h>
#include <stdlib.h>

/* Functions that get a struct and memory that one of its fields holds, and reach the memory both ways. */
struct cloud {
  int n;
  double *x, *y, *mass;
};

static void exchange(double *v, int a, int b) {
  double t = v[a];
  v[a] = v[b];
  v[b] = t;
}

/* Puts what lies before `middle` along a field first. */
static int split(struct cloud *c, double *along, double middle, int first, int last) {
  while (first < last) {
    if (along[first] < middle) {
      first++;
    } else {
      last--;
      exchange(c->x, first, last);
      exchange(c->y, first, last);
      exchange(c->mass, first, last);
    }
  }
  return first;
}

static void shift(struct cloud *c, double *field, double by) {
  
  for (int i = 0; i < c->n; i++) field[i] += by * c->mass[i];
  if (c->n > 0) field[0] = c->x[0] + c->y[0];
}

static int bisect(struct cloud *c, int first, int last, int level) {
  if (level == 0 || last - first < 2) return first;
  int split_x = level % 2 ? split(c, c->x, 0.5, first, last) : split(c, c->y, 0.5, first, last);
  return bisect(c, first, split_x, level - 1) + split_x;
}

int main(void) {
  struct cloud c;
  int quarter[4] = {0};
  c.n = 60;
  c.x = malloc(c.n * sizeof(double));
  c.y = malloc(c.n * sizeof(double));
  c.mass = malloc(c.n * sizeof(double));
  srand(8);
  for (int i = 0; i < c.n; i++) {
    c.x[i] = rand() / (double)RAND_MAX;
    c.y[i] = rand() / (double)RAND_MAX;
    c.mass[i] = 1 + i % 3;
  }
  printf("%d\n", bisect(&c, 0, c.n, 3));
  shift(&c, c.x, 0.001);
  shift(&c, c.y, -0.001);
  double *x = c.x, *y = c.y;
#pragma acc parallel loop copyin(x[0:c.n], y[0:c.n]) copy(quarter)
  for (int i = 0; i < c.n; i++) {
#pragma acc atomic update
    quarter[(x[i] > 0.5) + 2 * (y[i] > 0.5)]++;
  }
  printf("%d %d %d %d, %.6f %.6f\n", quarter[0], quarter[1], quarter[2], quarter[3], c.x[0], c.y[59]);
  free(c.x);
  free(c.y);
  free(c.mass);
  return 0;
}
