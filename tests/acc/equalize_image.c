#include <stdio.h>
#include <stdlib.h>

typedef unsigned char pixel;

static void equalize(pixel *in, pixel *out, int width, int height) {
  int hist[256], cdf[256];
  int size = width * height;
  for (int i = 0; i < 256; i++) hist[i] = 0;
#pragma acc data copyin(in[0:size]) copyout(out[0:size]) copy(hist) create(cdf)
  {
#pragma acc parallel loop
    for (int i = 0; i < size; i++) {
#pragma acc atomic update
      hist[in[i]]++;
    }
#pragma acc serial
    {
      int sum = 0;
      for (int i = 0; i < 256; i++) {
        sum += hist[i];
        cdf[i] = sum;
      }
    }
#pragma acc parallel loop present(in[0:size], out[0:size])
    for (int i = 0; i < size; i++)
      out[i] = (pixel)((cdf[in[i]] * 255) / size);
  }
}

int main(void) {
  int w = 64, h = 48;
  pixel *a = (pixel *)malloc(w * h * sizeof(pixel)), *b = (pixel *)malloc(w * h * sizeof(pixel));
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) a[y * w + x] = 100 + (x * y) % 40;
  equalize(a, b, w, h);
  unsigned long check = 0;
  int lo = 255, hi = 0;
  for (int i = 0; i < w * h; i++) {
    check = check * 31 + b[i];
    if (b[i] < lo) lo = b[i];
    if (b[i] > hi) hi = b[i];
  }
  printf("%lu %d %d\n", check, lo, hi);
  free(a);
  free(b);
  return hi - lo < 200;
}
