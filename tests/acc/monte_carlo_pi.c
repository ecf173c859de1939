#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <time.h>

static unsigned long long seed = 1ULL;

static double uniform(void) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (seed >> 33) / 2147483648.0;
}

int main(void) {
  clock_t start = clock();
  time_t now = time(NULL);
  long inside = 0;
  const long n = 20000;
  int rings[10] = {0};
  double *x = (double *)malloc(n * sizeof(double)), *y = (double *)malloc(n * sizeof(double));
  for (long i = 0; i < n; i++) {
    x[i] = uniform();
    y[i] = uniform();
  }
#pragma acc parallel loop copyin(x[0:n], y[0:n]) copy(rings) reduction(+:inside)
  for (long i = 0; i < n; i++) {
    double r = sqrt(x[i] * x[i] + y[i] * y[i]);
    if (r < 1.0) {
      inside++;
#pragma acc atomic update
      rings[(int)(r * 10)]++;
    }
  }
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  if (seconds < 0 || now == (time_t)-1) return 2;
  printf("pi is about %.4f; rings:", 4.0 * inside / n);
  for (int i = 0; i < 10; i++) printf(" %d", rings[i]);
  printf("\n");
  free(x);
  free(y);
  return fabs(4.0 * inside / n - M_PI) > 0.05;
}
