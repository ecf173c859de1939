/* Memory from functions of one's own around `malloc`, and tables of rows that lie in one block. */
#include <stdio.h>
#include <stdlib.h>

static void *checked(size_t bytes) {
  void *p = NULL;
  int failed = posix_memalign(&p, 64, bytes);
  if (!p || failed) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return p;
}

static void *array_of(int count, int size) {
  size_t bytes = count;
  bytes *= size;
  void *made = checked(bytes);
  return made;
}

static void release(void *p) {
  if (p) free(p);
}

static double **table(int rows, int cols) {
  double **m = (double **)malloc(rows * sizeof(double *));
  m[0] = (double *)malloc(rows * cols * sizeof(double));
  for (int i = 1; i < rows; i++)
    m[i] = m[0] + i * cols;
  return m;
}

int main(void) {
  int rows = 12, cols = 40, bins = 16;
  int *hist = array_of(bins, sizeof(int));
  float *block = (float *)malloc(rows * cols * sizeof(float)), **view = malloc(rows * sizeof(float *));
  unsigned char **levels = malloc(rows * sizeof(unsigned char *));
  double **m = table(rows, cols), total = 0;
  for (int b = 0; b < bins; b++) hist[b] = 0;
  for (int i = 0; i < rows; i++) {
    view[i] = &block[i * cols];
    levels[i] = malloc(cols);
    for (int j = 0; j < cols; j++) {
      m[i][j] = (i * 31 + j * 7) % 97;
      view[i][j] = 0.5f * m[i][j];
      levels[i][j] = (unsigned char)(3 * i + 5 * j);
    }
  }
#pragma acc parallel loop collapse(2) copy(hist[0:bins])
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
#pragma acc atomic update
      hist[levels[i][j] / 16]++;
    }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) total += m[i][j] + view[i][j] + m[0][j];
  printf("%g %#x:", total, hist[0]);
  for (int b = 0; b < bins; b++) printf(" %d", hist[b]);
  printf("\n");
  for (int i = 0; i < rows; i++) free(levels[i]);
  free(levels);
  free(view);
  free(block);
  free(m[0]);
  free(m);
  release(hist);
  return 0;
}
