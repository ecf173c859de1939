#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
/* image histogram with struct of pixels and per channel bins */
typedef struct { uint8_t r, g, b; } rgb;
typedef struct { int width, height; rgb *pixels; } image;
static image make(int w, int h) {
  image im;
  im.width = w; im.height = h;
  im.pixels = (rgb*)malloc(sizeof(rgb) * w * h);
  uint32_t s = 1;
  for (int i = 0; i < w * h; i++) {
    s ^= s << 13; s ^= s >> 17; s ^= s << 5;
    im.pixels[i].r = s & 0xff; im.pixels[i].g = (s >> 8) & 0x7f; im.pixels[i].b = (uint8_t)(s >> 16);
  }
  return im;
}
int main(void) {
  image im = make(50, 40);
  int hist[3][256] = {{0}};
  int n = im.width * im.height;
  rgb *p = im.pixels;
#pragma acc parallel loop copyin(p[0:n]) copy(hist)
  for (int i = 0; i < n; i++) {
#pragma acc atomic
    hist[0][p[i].r]++;
#pragma acc atomic
    hist[1][p[i].g]++;
#pragma acc atomic
    hist[2][p[i].b]++;
  }
  unsigned long long sum = 0;
  for (int c = 0; c < 3; c++) for (int i = 0; i < 256; i++) sum = sum * 131 + hist[c][i];
  printf("%llu\n", sum);
  free(im.pixels);
  return 0;
}
