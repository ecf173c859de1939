#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#ifndef N
#define N 32
#endif
#define DATA_TYPE double
#define POLYBENCH_2D(name, d1, d2) name[d1][d2]

static void init_array(int n, DATA_TYPE POLYBENCH_2D(A, N, N), DATA_TYPE B[N][N]) {
  int i, j;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      A[i][j] = ((DATA_TYPE)i * (j + 1)) / n;
      B[i][j] = ((DATA_TYPE)(i - j)) / n;
    }
}

static void kernel_gemm(int ni, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[N][N], DATA_TYPE A[N][N], DATA_TYPE B[N][N]) {
  int i, j, k;
#pragma acc data copy(C[0:N][0:N]) copyin(A[0:N][0:N], B[0:N][0:N])
  {
#pragma acc parallel
    {
#pragma acc loop gang
      for (i = 0; i < ni; i++)
#pragma acc loop vector
        for (j = 0; j < ni; j++) {
          C[i][j] *= beta;
          for (k = 0; k < ni; ++k) C[i][j] += alpha * A[i][k] * B[k][j];
        }
    }
  }
}

static double trace(DATA_TYPE C[N][N]) {
  double t = 0.0;
  for (int i = 0; i < N; i++) t += C[i][i];
  return t;
}

int main(int argc, char **argv) {
  int n = N;
  static DATA_TYPE A[N][N], B[N][N], C[N][N];
  init_array(n, A, B);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) C[i][j] = i == j;
  kernel_gemm(n, 1.5, 1.2, C, A, B);
  printf("%0.6lf\n", trace(C));
  if (argc > 42 && argv[0][0] == '\0') printf("never\n");
  return 0;
}
