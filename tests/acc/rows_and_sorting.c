#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* LU, transposition, triangular loops with pointers to rows */
static void lu(double *A, int n) {
  for (int k = 0; k < n; k++) {
    double *rk = A + k * n;
    for (int i = k + 1; i < n; i++) {
      double *ri = &A[i * n];
      ri[k] /= rk[k];
      for (int j = k + 1; j < n; j++) ri[j] -= ri[k] * rk[j];
    }
  }
}
static void transpose(const float *in, float *out, int rows, int cols) {
#pragma acc parallel loop tile(8,8) copyin(in[0:rows*cols]) copyout(out[0:rows*cols])
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++) out[c * rows + r] = in[r * cols + c];
}
static int cmp(const double *a, const double *b) { return (*a > *b) - (*a < *b); }
static void sort(double *v, int n) {
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && cmp(&v[j - 1], &v[j]) > 0; j--) {
      double t = v[j]; v[j] = v[j - 1]; v[j - 1] = t;
    }
}
int main(void) {
  int n = 6;
  double *A = malloc(sizeof(double) * n * n), d = 1;
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i*n+j] = i == j ? n + 1.0 : 1.0 / (i + j + 1);
  lu(A, n);
  for (int i = 0; i < n; i++) d *= A[i * n + i];
  float a[6] = {1, 2, 3, 4, 5, 6}, b[6];
  transpose(a, b, 2, 3);
  double v[5] = {3, 1, 2, 5, 4};
  sort(v, 5);
  printf("%.6f %g %g %g %g\n", d, b[1], b[4], v[0], v[4]);
  char buf[32]; int len = 0;
  for (int i = 0; i < 5; i++) len += sprintf(buf + len, "%d,", i);
  printf("%s\n", buf);
  free(A);
  return 0;
}
