/* More bins than a cache holds: buckets of a hash, and votes for lines. */
#include <stdio.h>
#include <stdlib.h>
/* How many local copies the bins have; 0 updates the bins themselves. */
#ifndef NUM_LOCALS
#define NUM_LOCALS 8
#endif
/* The local copy of a gang; gangs that run at one time spread over all copies. */
#define GANG_LOCAL(gang, num_locals) (((unsigned)(gang) * 2654435769u >> 16) % (unsigned)(num_locals))
/* Copies of many bins are in blocks: room for the bins of a copy, and the start of the copy for a bin. */
#define LOCAL_ROOM(bins) ((bins) > 131072 ? ((bins) + 16383) >> 14 << 14 : (bins))
#define LOCAL_START(local, bin, bins, num_locals) \
  ((bins) > 131072 ? ((bin) / 16384 * ((num_locals) - 1) + (local)) * 16384 : (local) * (bins))

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

{
  size_t buckets_bins = (size_t)(BUCKETS);
  size_t buckets_num_locals = NUM_LOCALS;
  size_t buckets_size = buckets_num_locals == 0 ? 1 : buckets_num_locals * LOCAL_ROOM(buckets_bins);
  unsigned long *buckets_locals = (unsigned long *)malloc(buckets_size * sizeof(unsigned long));
  if (buckets_locals == NULL) abort();
#pragma acc data copyin(x[0:n], y[0:n]) copy(buckets[0:BUCKETS]) create(buckets_locals[0:buckets_size])
  {
{
  if (buckets_num_locals != 0) {
  #pragma acc parallel loop gang vector vector_length(256) present(buckets_locals[0:buckets_size])
    for (size_t local = 0; local < buckets_size; local++) buckets_locals[local] = 0;
  }
#pragma acc parallel loop num_gangs(1024) vector_length(256) present(buckets_locals[0:buckets_size])
    for (int i = 0; i < n; i++) {
if (buckets_num_locals == 0) {
#pragma acc atomic update
      buckets[(x[i] * 977u + y[i] * 31u) % BUCKETS] += 1 + i % 3;
} else {
#pragma acc atomic update
      (buckets_locals + LOCAL_START(GANG_LOCAL((size_t)i / 256, buckets_num_locals), (size_t)((x[i] * 977u + y[i] * 31u) % BUCKETS), buckets_bins, buckets_num_locals))[(x[i] * 977u + y[i] * 31u) % BUCKETS] += 1 + i % 3;
}
    }
  if (buckets_num_locals != 0) {
  #pragma acc parallel loop gang vector collapse(2) vector_length(256) present(buckets_locals[0:buckets_size]) present(buckets[0:buckets_bins])
    for (size_t tile = 0; tile < buckets_num_locals; tile += 8) {
      for (size_t bin = 0; bin < buckets_bins; bin++) {
        unsigned long part = 0;
        for (size_t local = tile; local < tile + 8 && local < buckets_num_locals; local++) part += buckets_locals[LOCAL_START(local, bin, buckets_bins, buckets_num_locals) + bin];
  #pragma acc atomic update
        buckets[bin] += part;
      }
    }
  }
}
  }
  free(buckets_locals);
}

{
  size_t votes_bins = sizeof votes / sizeof(unsigned int);
  size_t votes_num_locals = NUM_LOCALS;
  size_t votes_size = votes_num_locals == 0 ? 1 : votes_num_locals * LOCAL_ROOM(votes_bins);
  unsigned int *votes_locals = (unsigned int *)malloc(votes_size * sizeof(unsigned int));
  if (votes_locals == NULL) abort();
#pragma acc data create(votes_locals[0:votes_size]) copy(votes)
  {
    if (votes_num_locals != 0) {
    #pragma acc parallel loop gang vector vector_length(256) present(votes_locals[0:votes_size])
      for (size_t local = 0; local < votes_size; local++) votes_locals[local] = 0;
    }
#pragma acc parallel loop copyin(x[0:n], y[0:n]) copy(votes) num_gangs(1024) vector_length(256) present(votes_locals[0:votes_size])
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 4; k++) {
if (votes_num_locals == 0) {
#pragma acc atomic update
      votes[(x[i] + k) % ROWS][(y[i] * (k + 1)) % COLS]++;
} else {
#pragma acc atomic update
      ((unsigned int (*)[300])(votes_locals + LOCAL_START(GANG_LOCAL((size_t)i / 256, votes_num_locals), ((size_t)((x[i] + k) % ROWS) * 300 + (size_t)((y[i] * (k + 1)) % COLS)), votes_bins, votes_num_locals)))[(x[i] + k) % ROWS][(y[i] * (k + 1)) % COLS]++;
}
    }
  }
    if (votes_num_locals != 0) {
    #pragma acc parallel loop gang vector collapse(2) vector_length(256) present(votes_locals[0:votes_size])
      for (size_t tile = 0; tile < votes_num_locals; tile += 8) {
        for (size_t bin = 0; bin < votes_bins; bin++) {
          unsigned int part = 0;
          for (size_t local = tile; local < tile + 8 && local < votes_num_locals; local++) part += votes_locals[LOCAL_START(local, bin, votes_bins, votes_num_locals) + bin];
    #pragma acc atomic update
          ((unsigned int *)votes)[bin] += part;
        }
      }
    }
  }
  free(votes_locals);
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
