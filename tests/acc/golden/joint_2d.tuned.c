#include <stdio.h>
#include <stdlib.h>
/* How many local copies the bins have; 0 updates the bins themselves. */
#ifndef NUM_LOCALS
#define NUM_LOCALS 8
#endif
/* The local copy of a gang; gangs that run at one time spread over all copies. */
#define GANG_LOCAL(gang, num_locals) (((unsigned)(gang) * 2654435769u >> 16) % (unsigned)(num_locals))

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
{
  size_t joint_bins = sizeof joint / sizeof(int);
  size_t joint_num_locals = NUM_LOCALS;
  size_t joint_size = joint_num_locals == 0 ? 1 : joint_num_locals * joint_bins;
  int *joint_locals = (int *)malloc(joint_size * sizeof(int));
  if (joint_locals == NULL) abort();
#pragma acc data create(joint_locals[0:joint_size]) copy(joint)
  {
    if (joint_num_locals != 0) {
    #pragma acc parallel loop gang vector vector_length(256) present(joint_locals[0:joint_size])
      for (size_t local = 0; local < joint_size; local++) joint_locals[local] = 0;
    }
#pragma acc parallel loop collapse(2) copyin(a, b) copy(joint) num_gangs(1024) vector_length(256) present(joint_locals[0:joint_size])
  for (int y = 0; y < H; y++) {
    for (int x = 0; x < W; x++) {
      int i = a[y][x] / (256 / LEVELS);
      int j = b[y][x] >> 4;
if (joint_num_locals == 0) {
#pragma acc atomic update
      joint[i][j]++;
} else {
#pragma acc atomic update
      ((int (*)[16])(joint_locals + GANG_LOCAL(((size_t)y + (size_t)x / 256), joint_num_locals) * joint_bins))[i][j]++;
}
    }
  }
    if (joint_num_locals != 0) {
    #pragma acc parallel loop gang vector collapse(2) vector_length(256) present(joint_locals[0:joint_size])
      for (size_t tile = 0; tile < joint_num_locals; tile += 8) {
        for (size_t bin = 0; bin < joint_bins; bin++) {
          int part = 0;
          for (size_t local = tile; local < tile + 8 && local < joint_num_locals; local++) part += joint_locals[local * joint_bins + bin];
    #pragma acc atomic update
          ((int *)joint)[bin] += part;
        }
      }
    }
  }
  free(joint_locals);
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
