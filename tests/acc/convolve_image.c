/* A convolution of an image with clamped borders, and a tiled blur of its channels. */
#include <stdio.h>
#include <stdlib.h>

#define RADIUS 2
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static const int filter[5][5] = {
    {1, 2, 3, 2, 1}, {2, 4, 6, 4, 2}, {3, 6, 9, 6, 3}, {2, 4, 6, 4, 2}, {1, 2, 3, 2, 1}};

static void blur(const unsigned char *imgData, unsigned char *out, long w, long h, long ch, long step) {
#pragma acc parallel loop collapse(2) gang vector copyin(imgData[0 : w * h * ch]) copyout(out[0 : w * h * ch])
  for (long y = 0; y < h; y++) {
    for (long x = 0; x < w; x++) {
      float blue = 0.0f, green = 0.0f, red = 0.0f;
      for (int fy = 0; fy < 5; fy++) {
        long iy = y - RADIUS + fy;
        for (int fx = 0; fx < 5; fx++) {
          long ix = x - RADIUS + fx;
          if (iy < 0 || ix < 0 || iy >= h || ix >= w)
            continue;
          blue += filter[fy][fx] * (float)imgData[iy * step + ix * ch];
          green += filter[fy][fx] * (float)imgData[iy * step + ix * ch + 1];
          red += filter[fy][fx] * (float)imgData[iy * step + ix * ch + 2];
        }
      }
      out[y * step + x * ch] = (unsigned char)(blue / 81.0f);
      out[y * step + x * ch + 1] = (unsigned char)(green / 81.0f);
      out[y * step + x * ch + 2] = (unsigned char)(red / 81.0f);
    }
  }
}

static void sharpen(const float *in, float *out, int rows, int cols) {
#pragma acc parallel loop tile(8, 4)
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++) {
      int up = MAX(r - 1, 0), down = MIN(r + 1, rows - 1);
      int left = MAX(c - 1, 0), right = MIN(c + 1, cols - 1);
      out[r * cols + c] = 5.0f * in[r * cols + c] - in[up * cols + c] - in[down * cols + c] -
                          in[r * cols + left] - in[r * cols + right];
    }
}

int main(void) {
  long w = 20, h = 15, ch = 3, step = w * ch;
  unsigned char *img = malloc(step * h), *out = malloc(step * h);
  float *a = malloc(w * h * sizeof(float)), *b = malloc(w * h * sizeof(float));
  for (long i = 0; i < step * h; i++)
    img[i] = (unsigned char)((i * 7) % 256);
  for (int i = 0; i < w * h; i++)
    a[i] = (float)(i % 9);
  blur(img, out, w, h, ch, step);
  sharpen(a, b, (int)h, (int)w);
  unsigned int check = 0;
  float edge = 0;
  for (long i = 0; i < step * h; i++)
    check = check * 31 + out[i];
  for (int i = 0; i < w * h; i++)
    edge += b[i] < 0 ? -b[i] : b[i];
  printf("%u %d %g\n", check, out[77], edge);
  free(img);
  free(out);
  free(a);
  free(b);
  return 0;
}
