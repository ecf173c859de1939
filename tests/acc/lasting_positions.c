#include <stdio.h>
#include <stdlib.h>

/* Pointers that live as long as the program and stand in one array of it, as sorting benchmarks have them. */
#define KEYS 2048
#define MAX_KEY 128

typedef int key_type;

static key_type *ranks_of_all;
static const double *next_weight;
static key_type keys[KEYS], ranks[MAX_KEY], sorted[KEYS];
static double weights[8] = {1, 2, 4, 8, 16, 32, 64, 128};
static key_type sums[MAX_KEY];

static void rank(int iteration) {
  key_type *own;
  keys[iteration] = iteration;
  own = ranks;
#pragma acc data copyin(keys) copy(ranks)
  {
#pragma acc parallel loop
    for (int i = 0; i < MAX_KEY; i++) ranks[i] = 0;
#pragma acc parallel loop
    for (int i = 0; i < KEYS; i++) {
#pragma acc atomic update
      ranks[keys[i]]++;
    }
    for (int i = 1; i < MAX_KEY; i++) own[i] += own[i - 1];
  }
  if (iteration == 3) ranks_of_all = own;
}

static int verify(const key_type *all, int n) {
  int wrong = 0;
  for (int i = n - 1; i >= 0; i--) sorted[--ranks_of_all[all[i]]] = all[i];
  for (int i = 1; i < n; i++) wrong += sorted[i - 1] > sorted[i];
  return wrong;
}

static double draw(void) {
  double w = *next_weight++;
  if (next_weight == weights + 8) next_weight = weights;
  return w;
}

static void add_into(key_type *to, int n) {
  for (int i = 0; i < n; i++) to[i] += i;
}

int main(void) {
  for (int i = 0; i < KEYS; i++) keys[i] = (i * 89 + i / 7) % MAX_KEY;
  for (int it = 1; it <= 3; it++) rank(it);
  int wrong = verify(keys, KEYS);
  printf("%d %d %d\n", wrong, sorted[0], sorted[KEYS - 1]);
  next_weight = weights + 5;
  double sum = 0;
  for (int i = 0; i < 7; i++) sum = sum * 3 + draw();
  printf("%g\n", sum);
  add_into(sums, MAX_KEY);
  printf("%d\n", sums[MAX_KEY - 1]);
  return 0;
}
