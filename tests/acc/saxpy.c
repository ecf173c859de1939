#include <stdio.h>
#include <stdlib.h>
#include <math.h>
void saxpy(int n, float a, float *x, float *restrict y)
{
#pragma acc kernels
  for (int i = 0; i < n; ++i)
    y[i] = a*x[i] + y[i];
}
int main(int argc, char **argv)
{
  int N = 1<<12;
  if (argc > 1)
    N = atoi(argv[1]);
  float *x = (float*)malloc(N * sizeof(float));
  float *y = (float*)malloc(N * sizeof(float));
  for (int i = 0; i < N; ++i) {
    x[i] = 2.0f;
    y[i] = 1.0f;
  }
  saxpy(N, 3.0f, x, y);
  float maxError = 0.0f;
  for (int i = 0; i < N; i++)
    maxError = fmaxf(maxError, fabsf(y[i]-7.0f));
  printf("Max error: %f\n", maxError);
  double pi = 0.0; long i;
  #pragma acc parallel loop reduction(+:pi)
  for (i=0; i<N; i++) {
    double t= (double)((i+0.5)/N);
    pi +=4.0/(1.0+t*t);
  }
  printf("pi=%16.15f\n",pi/N);
  free(x); free(y);
  return 0;
}
