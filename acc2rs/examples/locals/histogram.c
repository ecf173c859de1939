/* The naive histogram of the paper's Figure 4, timed, for `acc2rs optimize` to tune: README.md says how.
   usage: histogram BINS uniform|skewed ITEMS
   prints: program bins distribution copies microseconds, a line for each number of copies */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef PROGRAM
#define PROGRAM "naive"
#define LAST 0
#endif
#define RUNS 7

/* Tuned builds take it for the number of copies: -DNUM_LOCALS=wanted. */
static int wanted;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median time of the loop, in microseconds, with what is done before and after it for its copies. */
static double timed(const uint32_t *keys, size_t items, unsigned int *hist, int bins) {
  double times[RUNS];
  memset(hist, 0, bins * sizeof *hist);
#pragma acc data copyin(keys[0:items]) copy(hist[0:bins])
  {
    for (int run = -1; run < RUNS; run++) {
      double begin = now();
#pragma acc parallel loop
      for (size_t i = 0; i < items; i++) {
#pragma acc atomic update
        hist[keys[i]]++;
      }
      if (run >= 0)
        times[run] = now() - begin;
    }
  }
  qsort(times, RUNS, sizeof *times, ascending);
  return times[RUNS / 2];
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s BINS uniform|skewed ITEMS\n", argv[0]);
    return 2;
  }
  int bins = atoi(argv[1]), skewed = !strcmp(argv[2], "skewed");
  size_t items = strtoull(argv[3], NULL, 10);
  uint32_t *keys = malloc(items * sizeof *keys);
  unsigned int *hist = malloc(bins * sizeof *hist), *want = calloc(bins, sizeof *want);
  uint64_t state = 88172645463325252u;
  for (size_t i = 0; i < items; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    double u = (state >> 11) * 0x1p-53;
    /* Skewed: the density falls as k^(-7/8), so that the first of 256 bins gets half of all keys. */
    if (skewed)
      u = u * u, u = u * u, u = u * u;
    keys[i] = (uint32_t)(u * bins);
    want[keys[i]]++;
  }
#pragma acc data copyin(keys[0:items])
  for (wanted = 0; wanted <= LAST; wanted += 2) {
    double us = timed(keys, items, hist, bins);
    for (int b = 0; b < bins; b++)
      if (hist[b] != want[b] * (RUNS + 1)) {
        fprintf(stderr, "%s: bin %d of %d holds %u, not %u\n", PROGRAM, b, bins, hist[b], want[b] * (RUNS + 1));
        exit(1);
      }
    printf("%s %d %s %d %.1f\n", PROGRAM, bins, argv[2], wanted, us);
    fflush(stdout);
  }
  free(keys), free(hist), free(want);
  return 0;
}
