/* More bins than a cache holds: buckets of a hash, and votes for lines. */
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 200003
#define ROWS 700
#define COLS 300

static unsigned int votes[ROWS][COLS];

static unsigned int next(unsigned int *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

int main(void) {
  const int n = 40000;
  int *x = (int *)malloc(n * sizeof(int));
  int *y = (int *)malloc(n * sizeof(int));
  unsigned long *buckets = (unsigned long *)calloc(BUCKETS, sizeof(unsigned long));
  unsigned int state = 7;
  int errors = 0;
  for (int i = 0; i < n; i++) {
    x[i] = (int)(next(&state) % ROWS);
    y[i] = (int)(next(&state) % COLS);
  }

#pragma acc data copyin(x[0:n], y[0:n]) copy(buckets[0:BUCKETS])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
      buckets[(x[i] * 977u + y[i] * 31u) % BUCKETS] += 1 + i % 3;
    }
  }

#pragma acc parallel loop copyin(x[0:n], y[0:n]) copy(votes)
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 4; k++) {
#pragma acc atomic update
      votes[(x[i] + k) % ROWS][(y[i] * (k + 1)) % COLS]++;
    }
  }

  unsigned long sum = 0, highest = 0;
  int at = 0;
  for (int b = 0; b < BUCKETS; b++) {
    sum += buckets[b];
    if (buckets[b] > highest) {
      highest = buckets[b];
      at = b;
    }
  }
  unsigned long total = 0, moment = 0;
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLS; c++) {
      total += votes[r][c];
      moment += (unsigned long)votes[r][c] * (unsigned long)(r * COLS + c);
    }
  if (total != 4ul * n)
    errors++;
  printf("sum %lu, %lu in bucket %d\n", sum, highest, at);
  printf("votes %lu, moment %lu\n", total, moment);
  free(x);
  free(y);
  free(buckets);
  return errors;
}
