/* Products of matrices: two collapsed loops and a sum, three and an atomic, rows of arrays, a transposed operand. */
#include <stdio.h>
#include <stdlib.h>

#define M 12

static void gemm2(int n, const float *restrict a, const float *restrict b, float *restrict c) {
#pragma acc parallel loop collapse(2) copyin(a[0 : n * n], b[0 : n * n]) copyout(c[0 : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0.0f;
#pragma acc loop seq
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

static void gemm3(int n, const float *A, const float *B, float *C) {
#pragma acc parallel loop collapse(3) copyin(A[0 : n * n], B[0 : n * n]) copy(C[0 : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
#pragma acc atomic update
        C[i * n + j] += A[i * n + k] * B[k * n + j];
      }
}

static void gemm_bt(int n, int m, int p, double a[n][p], double b[m][p], double c[n][m]) {
#pragma acc kernels
  {
#pragma acc loop independent gang
    for (int i = 0; i < n; ++i)
#pragma acc loop independent vector
      for (int j = 0; j < m; ++j) {
        c[i][j] = 0;
        for (int k = 0; k < p; ++k)
          c[i][j] += a[i][k] * b[j][k];
      }
  }
}

int main(void) {
  int n = 16;
  float *a = malloc(n * n * sizeof(float)), *b = malloc(n * n * sizeof(float));
  float *c = malloc(n * n * sizeof(float)), *d = calloc(n * n, sizeof(float));
  static double x[M][5], y[7][5], z[M][7];
  for (int i = 0; i < n * n; i++) {
    a[i] = (float)(i % 7) - 3;
    b[i] = (float)(i % 5) * 0.5f;
  }
  for (int i = 0; i < M; i++)
    for (int k = 0; k < 5; k++)
      x[i][k] = i - k;
  for (int j = 0; j < 7; j++)
    for (int k = 0; k < 5; k++)
      y[j][k] = j * k;
  gemm2(n, a, b, c);
  gemm3(n, a, b, d);
  gemm_bt(M, 7, 5, x, y, z);
  int same = 1;
  double trace = 0;
  for (int i = 0; i < n * n; i++)
    same &= c[i] == d[i];
  for (int i = 0; i < 7; i++)
    trace += z[i][i];
  printf("%d %g %g %g\n", same, c[5], d[n * n - 1], trace);
  free(a);
  free(b);
  free(c);
  free(d);
  return 0;
}
