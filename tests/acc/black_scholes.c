#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define N 500

#pragma acc routine seq
static double cnd(double d) {
  const double A1 = 0.31938153, A2 = -0.356563782, A3 = 1.781477937, A4 = -1.821255978, A5 = 1.330274429;
  const double RSQRT2PI = 0.39894228040143267793994605993438;
  double K = 1.0 / (1.0 + 0.2316419 * fabs(d));
  double c = RSQRT2PI * exp(-0.5 * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  if (d > 0) c = 1.0 - c;
  return c;
}

#pragma acc routine seq
static void price(double *call, double *put, double S, double X, double T, double R, double V) {
  double sqrtT = sqrt(T);
  double d1 = (log(S / X) + (R + 0.5 * V * V) * T) / (V * sqrtT);
  double d2 = d1 - V * sqrtT;
  double expRT = exp(-R * T);
  *call = S * cnd(d1) - X * expRT * cnd(d2);
  *put = X * expRT * (1.0 - cnd(d2)) - S * (1.0 - cnd(d1));
}

int main(void) {
  double *call = malloc(sizeof(double) * N), *put = malloc(sizeof(double) * N);
  int hist[10] = {0};
#pragma acc parallel loop copyout(call[0:N], put[0:N])
  for (int i = 0; i < N; i++)
    price(&call[i], &put[i], 5.0 + i % 26, 1.0 + i % 100, 0.25 + i % 10, 0.02, 0.30);
#pragma acc parallel loop copyin(call[0:N]) copy(hist)
  for (int i = 0; i < N; i++) {
    int b = (int)(call[i] / 3.0);
    b = b > 9 ? 9 : b;
#pragma acc atomic
    hist[b]++;
  }
  double a = 0, b = 0;
  for (int i = 0; i < N; i++) {
    a += call[i];
    b += put[i];
  }
  printf("%.8f %.8f", a, b);
  for (int i = 0; i < 10; i++) printf(" %d", hist[i]);
  printf("\n");
  free(call);
  free(put);
  return 0;
}
