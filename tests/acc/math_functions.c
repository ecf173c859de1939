#include <stdio.h>
#include <math.h>
#include <stdlib.h>

#define SQR(x) ((x) * (x))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

int main(void) {
  double s = 0;
  for (int i = 1; i < 20; i++) {
    double x = i * 0.37;
    s += sin(x) * cos(x) + tan(x / 10) + exp(-x) + log(x) + sqrt(x) + pow(x, 1.5) + pow(x, 2);
    s += fabs(-x) + floor(x) + ceil(x) + fmod(x, 0.5) + atan2(x, 2.0) + hypot(x, 1.0) + cbrt(x);
    s += fmin(x, 3.0) + fmax(x, 3.0) + round(x) + trunc(x) + log10(x) + exp2(x / 4);
  }
  printf("%.9f\n", s);
  float f = sqrtf(2.0f) + fabsf(-1.5f) + powf(2.0f, 0.5f) + expf(1.0f);
  printf("%.5f\n", f);
  printf("%d %ld %d\n", abs(-5), labs(-6L), MAX(3, 4));
  printf("%.6f %.6f\n", SQR(1.5 + 0.5), 2 * M_PI);
  printf("%d %d\n", isnan(sqrt(-1.0)) != 0, isinf(1.0 / 0.0) != 0);
  return 0;
}
