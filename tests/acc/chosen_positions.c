/* Positions that a condition chooses, and memory of bytes in an initializer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char byte;
struct image { int w, h; byte *px; };

static struct image make(int w, int h) {
  struct image im = {w, h, malloc(w * h)};
  for (int i = 0; i < w * h; i++) im.px[i] = (byte)(i * 37);
  return im;
}

static double sum_of(const char *line) {
  char copy[64];
  strcpy(copy, line);
  double sum = 0;
  char *p = copy;
  while (*p) {
    char *end;
    sum += strtod(p, &end);
    p = *end == ',' ? end + 1 : end;
  }
  return sum;
}

int main(void) {
  struct image im = make(6, 4);
  unsigned hist[4] = {0};
  byte *px = im.px;
  int n = im.w * im.h;
#pragma acc parallel loop copyin(px[0:n]) copy(hist)
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    hist[px[i] >> 6]++;
  }
  printf("%u %u %u %u, %.2f\n", hist[0], hist[1], hist[2], hist[3], sum_of("1.5,2.25,-0.5"));
  free(im.px);
  return 0;
}
