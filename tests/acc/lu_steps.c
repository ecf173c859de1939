/* LU without pivoting, Floyd-Warshall and forward substitution: an outer loop in order, inner ones parallel. */
#include <stdio.h>
#include <stdlib.h>

static void lu(float *a, int n) {
#pragma acc data copy(a[0 : n * n])
  for (int k = 0; k < n; k++) {
#pragma acc parallel loop
    for (int i = k + 1; i < n; i++)
      a[i * n + k] /= a[k * n + k];
#pragma acc parallel loop gang
    for (int i = k + 1; i < n; i++) {
#pragma acc loop vector
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  }
}

static void paths(int n, int *d) {
#pragma acc kernels copy(d[0 : n * n])
  for (int k = 0; k < n; k++)
#pragma acc loop independent collapse(2)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        int via = d[i * n + k] + d[k * n + j];
        if (via < d[i * n + j])
          d[i * n + j] = via;
      }
}

int main(void) {
  int n = 12;
  float *a = malloc(n * n * sizeof(float));
  int *d = malloc(n * n * sizeof(int));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i * n + j] = i == j ? 20.0f : (float)((i * 3 + j * 5) % 7);
      d[i * n + j] = i == j ? 0 : 1 + (i * 7 + j * 13) % 30;
    }
  lu(a, n);
  paths(n, d);
  double det = 1;
  int far = 0;
  for (int i = 0; i < n; i++) {
    det *= a[i * n + i];
    for (int j = 0; j < n; j++)
      far = d[i * n + j] > far ? d[i * n + j] : far;
  }
  printf("%.5e %d\n", det, far);
  free(a);
  free(d);
  return 0;
}
