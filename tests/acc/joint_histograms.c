#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define W 24
#define H 20
#define D 9
#define N (W * H * D)

/* Mutual information of two volumes of bytes: both histograms and the joint one in a single loop over the voxels. */
static unsigned int of_ct[256], of_mr[256], joint[256][256];

static double entropy(const unsigned int *counts, int bins) {
  double bits = 0.0;
  for (int i = 0; i < bins; i++)
    if (counts[i] > 0) {
      double share = (double)counts[i] / N;
      bits -= share * log2(share);
    }
  return bits;
}

/* A ball inside a ball, darker or lighter than what surrounds it, moved along x. */
static void head(unsigned char *voxels, int shift, int out, int bone, int brain) {
  for (int z = 0; z < D; z++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        int dx = 2 * (x - shift) - W, dy = 2 * y - H, dz = 4 * z - 2 * D;
        int far = dx * dx + dy * dy + dz * dz;
        int value = far > 360 ? out : far > 250 ? bone : brain;
        voxels[(z * H + y) * W + x] = (unsigned char)(value + (x * 7 + y * 3 + z * 5) % 4);
      }
}

static double mutual_information(const unsigned char *ct, const unsigned char *mr) {
  for (int i = 0; i < 256; i++) {
    of_ct[i] = 0;
    of_mr[i] = 0;
    for (int j = 0; j < 256; j++) joint[i][j] = 0;
  }
#pragma acc parallel loop copyin(ct[0:N], mr[0:N]) copy(of_ct, of_mr, joint)
  for (int i = 0; i < N; i++) {
    int a = ct[i], b = mr[i];
#pragma acc atomic update
    of_ct[a]++;
#pragma acc atomic update
    of_mr[b]++;
#pragma acc atomic update
    joint[a][b]++;
  }
  return entropy(of_ct, 256) + entropy(of_mr, 256) - entropy(&joint[0][0], 256 * 256);
}

int main(void) {
  unsigned char *ct = (unsigned char *)malloc(N);
  unsigned char *mr = (unsigned char *)malloc(N);
  int best = 0;
  double most = -1.0;
  head(ct, 0, 2, 240, 120);
  for (int shift = -3; shift <= 3; shift++) {
    head(mr, shift - 1, 4, 20, 160);
    double bits = mutual_information(ct, mr);
    printf("shift %2d: %.6f bits\n", shift, bits);
    if (bits > most) {
      most = bits;
      best = shift;
    }
  }
  printf("best at %d\n", best);
  free(ct);
  free(mr);
  return best != 1;
}
