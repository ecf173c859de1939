#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int rows = 6, cols;
int *data, **wall;
static void init(int n) {
  cols = n;
  data = (int *)malloc(sizeof(int) * rows * cols);
  wall = (int **)malloc(sizeof(int *) * rows);
  if (!wall) exit(1);
  for (int i = 0; i < rows; i++) wall[i] = data + cols * i;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) wall[i][j] = i * 10 + j;
}
int main(void) {
  init(5);
  long sum = 0;
#pragma acc parallel loop reduction(+:sum) copyin(data[0:rows*cols])
  for (int k = 0; k < rows * cols; k++) sum += data[k];
  int m = 4;
  double *block = malloc(3 * m * sizeof(double)), **a = malloc(3 * sizeof(double *));
  for (int i = 0; i < 3; i++) a[i] = &block[i * m];
  memset(block, 0, 3 * m * sizeof(double));
  for (int i = 0; i < 3; i++) a[i][i] = wall[i][i] + 0.5;
  for (int k = 0; k < 3 * m; k++) printf("%g ", block[k]);
  printf("%ld %d\n", sum, wall[rows - 1][cols - 1]);
  char *fmt = "usage: %s %d\n";
  char text[40];
  sprintf(text, "%d", 5);
  printf(fmt, text, 3);
  free(a);
  free(block);
  free(wall);
  free(data);
  return 0;
}
