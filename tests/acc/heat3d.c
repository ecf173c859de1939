/* Seven points in three dimensions by a macro, two buffers, pointers with offsets into one allocation. */
#include <stdio.h>
#include <stdlib.h>

#define Index3D(_nx, _ny, _i, _j, _k) ((_i) + _nx * ((_j) + _ny * (_k)))

static void cpu_stencil(float c0, float c1, float *A0, float *Anext, const int nx, const int ny, const int nz) {
  int i, j, k;
  int size = nx * ny * nz;
#pragma acc kernels pcopyin(A0[0 : size]) pcopyout(Anext[0 : size])
  {
#pragma acc loop independent
    for (i = 1; i < nx - 1; i++) {
#pragma acc loop independent
      for (j = 1; j < ny - 1; j++) {
#pragma acc loop independent
        for (k = 1; k < nz - 1; k++) {
          Anext[Index3D(nx, ny, i, j, k)] =
              (A0[Index3D(nx, ny, i, j, k + 1)] + A0[Index3D(nx, ny, i, j, k - 1)] +
               A0[Index3D(nx, ny, i, j + 1, k)] + A0[Index3D(nx, ny, i, j - 1, k)] +
               A0[Index3D(nx, ny, i + 1, j, k)] + A0[Index3D(nx, ny, i - 1, j, k)]) * c1 -
              A0[Index3D(nx, ny, i, j, k)] * c0;
        }
      }
    }
  }
}

static void scale(float *row, int n, float by) {
  float *inner = row + 1;
#pragma acc parallel loop
  for (int i = 0; i < n - 2; i++)
    inner[i] *= by;
}

int main(void) {
  int nx = 10, ny = 8, nz = 6, size = nx * ny * nz;
  float *A0 = malloc(size * sizeof(float)), *Anext = malloc(size * sizeof(float));
  for (int i = 0; i < size; i++)
    A0[i] = Anext[i] = (float)((i * 17) % 23);
  for (int t = 0; t < 4; t++) {
    cpu_stencil(1.0f / 6.0f, 1.0f / 36.0f, A0, Anext, nx, ny, nz);
    float *temp = A0;
    A0 = Anext;
    Anext = temp;
  }
  scale(A0, size, 1.5f);
  double total = 0;
  for (int i = 0; i < size; i++)
    total += A0[i];
  printf("%.4f %.5f\n", total, A0[Index3D(nx, ny, 4, 3, 2)]);
  free(A0);
  free(Anext);
  return 0;
}
