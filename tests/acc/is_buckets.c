#include <stdio.h>
#include <stdlib.h>

/* Integer sort in the style of the NAS benchmarks: globals, ranks, a verification. */
#define TOTAL_KEYS 2048
#define MAX_KEY 128
#define ITERATIONS 3
typedef int INT_TYPE;

INT_TYPE key_array[TOTAL_KEYS], key_buff[MAX_KEY], rank_of[TOTAL_KEYS];
int passed_verification;

static double randlc(double *x, double a) {
  long long s = (long long)(*x) * (long long)a % 2147483647LL;
  *x = (double)s;
  return s / 2147483647.0;
}

void create_seq(double seed, double a) {
  for (int i = 0; i < TOTAL_KEYS; i++) {
    double x = randlc(&seed, a);
    x += randlc(&seed, a);
    x += randlc(&seed, a);
    x += randlc(&seed, a);
    key_array[i] = MAX_KEY / 4 * x;
  }
}

void rank(int iteration) {
  key_array[iteration] = iteration;
  key_array[iteration + ITERATIONS] = MAX_KEY - 1 - iteration;
  for (int i = 0; i < MAX_KEY; i++) key_buff[i] = 0;
#pragma acc parallel loop copyin(key_array) copy(key_buff)
  for (int i = 0; i < TOTAL_KEYS; i++) {
#pragma acc atomic update
    key_buff[key_array[i]]++;
  }
  for (int i = 0; i < MAX_KEY - 1; i++) key_buff[i + 1] += key_buff[i];
}

void full_verify(void) {
  INT_TYPE j = 0;
  for (int i = TOTAL_KEYS - 1; i >= 0; i--) rank_of[i] = --key_buff[key_array[i]];
  INT_TYPE sorted[TOTAL_KEYS];
  for (int i = 0; i < TOTAL_KEYS; i++) sorted[rank_of[i]] = key_array[i];
  for (int i = 1; i < TOTAL_KEYS; i++)
    if (sorted[i - 1] > sorted[i]) j++;
  if (j != 0)
    printf("Full_verify: number of keys out of sort: %d\n", j);
  else
    passed_verification++;
}

int main(void) {
  create_seq(314159265.0, 16807.0);
  for (int it = 1; it <= ITERATIONS; it++) {
    rank(it);
    printf("iteration %d: %d\n", it, key_buff[MAX_KEY / 2]);
  }
  full_verify();
  printf("%s\n", passed_verification == 1 ? "VERIFIED" : "FAILED");
  return passed_verification != 1;
}
