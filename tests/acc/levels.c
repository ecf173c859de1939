/* Levels of a multigrid behind locals, sizes kept in a struct, a local's memory that changes places with a global's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define LEVELS 3

typedef struct {
  int n;
  float *u, *f;
} level;

typedef struct {
  long boxes, bytes;
} sizes;

typedef struct {
  int near[4], count;
} box;

static level all[LEVELS];
static int *result;

static void restrict_to(const level *fine, level *coarse) {
  for (int i = 1; i < coarse->n - 1; i++)
    coarse->f[i] = 0.25f * (fine->f[2 * i - 1] + 2 * fine->f[2 * i] + fine->f[2 * i + 1]);
}

static void prolong(const level *coarse, level *fine) {
  for (int i = 0; i < coarse->n - 1; i++) fine->u[2 * i] += coarse->u[i] + coarse->f[i];
}

static void cycle(int k) {
  level *l = &all[k];
  if (k == LEVELS - 1) return;
  restrict_to(l, &all[k + 1]);
  cycle(k + 1);
  prolong(&all[k + 1], l);
}

static int shortest(int rows, int cols) {
  int *src, *dst, *t, best = 1000;
  dst = result;
  src = malloc(sizeof(int) * cols);
  for (int r = 1; r < rows; r++) {
    t = src;
    src = dst;
    dst = t;
#pragma acc parallel loop copyin(src[0:cols]) copy(dst[0:cols])
    for (int i = 0; i < cols; i++) {
      int m = src[i];
      if (i > 0 && src[i - 1] < m) m = src[i - 1];
      dst[i] = m + (i * 7 + r * 3) % 5;
    }
  }
  for (int i = 0; i < cols; i++)
    if (dst[i] < best) best = dst[i];
  free(src);
  return best;
}

int main(void) {
  sizes s;
  box *boxes;
  int hist[4] = {0}, n = 17, cols = 20;
  time_t begin = time(NULL);
  for (int k = 0; k < LEVELS; k++, n = n / 2 + 1) {
    all[k].n = n;
    all[k].u = calloc(n, sizeof(float));
    all[k].f = calloc(n, sizeof(float));
  }
  for (int i = 0; i < all[0].n; i++) all[0].f[i] = i % 3;
  cycle(0);
  printf("%.4f %.4f %.4f\n", all[0].u[4], all[1].u[2], all[2].f[2]);
  s.boxes = 8;
  s.bytes = s.boxes * sizeof(box);
  boxes = malloc(s.bytes);
  memset(boxes, 0, s.bytes);
  for (int b = 0; b < s.boxes; b++)
    for (int d = 0; d < b % 4; d++) {
      boxes[b].near[boxes[b].count] = (b + d) % 8;
      boxes[b].count++;
    }
#pragma acc parallel loop copyin(boxes[0:8]) copy(hist)
  for (int b = 0; b < 8; b++) {
#pragma acc atomic update
    hist[boxes[b].count]++;
  }
  printf("%d %d %d %d, %d\n", hist[0], hist[1], hist[2], hist[3], boxes[7].near[2]);
  result = malloc(cols * sizeof(int));
  for (int i = 0; i < cols; i++) result[i] = i % 4;
  printf("shortest %d\n", shortest(5, cols));
  printf("%zu %zu\n", strcspn("key=value", "="), strspn("  indented", " "));
  for (int k = 0; k < LEVELS; k++) {
    free(all[k].u);
    free(all[k].f);
  }
  free(boxes);
  return difftime(time(NULL), begin) < 0;
}
