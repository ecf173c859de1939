#include <stdio.h>

#define W 48
#define H 32
#define LEVELS 16

static unsigned char a[H][W], b[H][W];
static int joint[LEVELS][LEVELS];

/* The joint histogram of two images, as image registration needs it. */
int main(void) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      a[y][x] = (x * y + x) & 255;
      b[y][x] = (x * 3 + y * 5) & 255;
    }
#pragma acc parallel loop collapse(2) copyin(a, b) copy(joint)
  for (int y = 0; y < H; y++) {
    for (int x = 0; x < W; x++) {
      int i = a[y][x] / (256 / LEVELS);
      int j = b[y][x] >> 4;
#pragma acc atomic update
      joint[i][j]++;
    }
  }
  int total = 0, most = 0;
  for (int i = 0; i < LEVELS; i++)
    for (int j = 0; j < LEVELS; j++) {
      total += joint[i][j];
      if (joint[i][j] > most) most = joint[i][j];
    }
  printf("%d pairs, at most %d in a bin\n", total, most);
  return total != W * H;
}
