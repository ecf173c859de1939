#include <stdio.h>
#include <stdlib.h>

#define SIZE 100

static const double weights[4] = {0.1, 0.2, 0.3, 0.4};
static int calls;
int *table;
static double acc[SIZE];
const int limit = 50;

static int next(void) {
  static int counter = 10;
  calls++;
  return counter++;
}

static void setup(int n) {
  table = (int *)malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) table[i] = next() % 7;
}

static double total(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  return s;
}

int main(void) {
  setup(SIZE);
#pragma acc parallel loop copyin(table[0:SIZE]) copy(acc)
  for (int i = 0; i < SIZE; i++) {
    if (i < limit) {
#pragma acc atomic update
      acc[table[i]] += weights[i % 4];
    }
  }
  int again = next();
  printf("%.2f %.2f %d %d\n", acc[0], total(acc, SIZE), calls, again);
  free(table);
  return 0;
}
