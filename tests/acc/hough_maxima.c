#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define W 96
#define H 54
#define ANGLES 180
#define MIDDLE (W + H)
#define COLUMNS (2 * MIDDLE + 3)

/* A Hough transform over a list of edge pixels, 180 angles each, with a margin of one bin for the search of maxima. */
static short xs[W * H], ys[W * H];
static int votes[(ANGLES + 2) * COLUMNS];

static int edges(void) {
  int n = 0;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      if (x == 20 || y == 2 * x / 5 + 7 || x + y == 110) {
        xs[n] = (short)x;
        ys[n] = (short)y;
        n++;
      }
  return n;
}

int main(void) {
  double cosines[ANGLES], sines[ANGLES];
  unsigned char *highest = (unsigned char *)calloc(ANGLES * COLUMNS, 1);
  int n = edges();
  for (int t = 0; t < ANGLES; t++) {
    cosines[t] = cos(t * M_PI / ANGLES);
    sines[t] = sin(t * M_PI / ANGLES);
  }
#pragma acc data copyin(xs, ys, cosines, sines) copy(votes) copyout(highest[0:ANGLES*COLUMNS])
  {
#pragma acc parallel loop gang vector collapse(2)
    for (int i = 0; i < n; i++)
      for (int t = 0; t < ANGLES; t++) {
        int r = (int)(xs[i] * cosines[t] + ys[i] * sines[t] + MIDDLE + 0.5);
#pragma acc atomic update
        votes[(t + 1) * COLUMNS + r + 1] += 1;
      }
#pragma acc parallel loop collapse(2)
    for (int t = 0; t < ANGLES; t++)
      for (int r = 0; r < COLUMNS - 2; r++) {
        int at = (t + 1) * COLUMNS + r + 1;
        int own = votes[at];
        highest[t * COLUMNS + r] = own > 25 && own > votes[at - 1] && own >= votes[at + 1] &&
                                   own > votes[at - COLUMNS] && own >= votes[at + COLUMNS];
      }
  }
  for (int t = 0; t < ANGLES; t++)
    for (int r = 0; r < COLUMNS - 2; r++)
      if (highest[t * COLUMNS + r])
        printf("%3d degrees, distance %4d: %d votes\n", t, r - MIDDLE,
               votes[(t + 1) * COLUMNS + r + 1]);
  free(highest);
  return 0;
}
