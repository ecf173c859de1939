#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define W 40
#define H 30
#define NT 45

int main(void) {
  unsigned char *img = (unsigned char *)calloc(W * H, 1);
  int nr = (int)ceil(sqrt((double)(W * W + H * H)));
  int *acc = (int *)calloc((size_t)NT * (2 * nr + 1), sizeof(int));
  float cosine[NT], sine[NT];
  for (int x = 0; x < W; x++) {
    int y = x / 2 + 4;
    if (y < H) img[y * W + x] = 255;
  }
  for (int t = 0; t < NT; t++) {
    cosine[t] = cosf(t * (float)M_PI / NT);
    sine[t] = sinf(t * (float)M_PI / NT);
  }
#pragma acc parallel loop collapse(2) copyin(img[0:W*H], cosine, sine) copy(acc[0:NT*(2*nr+1)])
  for (int y = 0; y < H; y++) {
    for (int x = 0; x < W; x++) {
      if (img[y * W + x] == 0) continue;
      for (int t = 0; t < NT; t++) {
        int r = (int)roundf(x * cosine[t] + y * sine[t]) + nr;
#pragma acc atomic update
        acc[t * (2 * nr + 1) + r]++;
      }
    }
  }
  int best = 0;
  for (int i = 1; i < NT * (2 * nr + 1); i++)
    if (acc[i] > acc[best]) best = i;
  printf("theta %d, rho %d, votes %d\n", best / (2 * nr + 1), best % (2 * nr + 1) - nr, acc[best]);
  free(img);
  free(acc);
  return 0;
}
