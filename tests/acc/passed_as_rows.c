#include <stdio.h>
#include <stdlib.h>

/* Arrays and memory that are passed as rows of their elements. */
#define ROWS 40
#define WIDTH 6
#define DEPTH 3

static int column[ROWS * WIDTH];
static double element[ROWS * WIDTH];

static int assemble(int rows, int col[][WIDTH], double val[][WIDTH]) {
  int stored = 0;
  for (int i = 0; i < rows; i++) {
    for (int k = 0; k < 1 + i % WIDTH; k++, stored++) {
      col[i][k] = (i + k * 7) % rows;
      val[i][k] = 1.0 / (1 + k) + (col[i][k] == i);
    }
  }
  return stored;
}

static void multiply(int rows, int (*col)[WIDTH], const double (*val)[WIDTH], const double *x, double *y) {
#pragma acc parallel loop copyin(col[0:rows], val[0:rows], x[0:rows]) copyout(y[0:rows])
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = 0; k < 1 + i % WIDTH; k++) sum += val[i][k] * x[col[i][k]];
    y[i] = sum;
  }
}

static double corner(int planes, double (*u)[WIDTH][DEPTH]) {
  u[planes - 1][WIDTH - 1][DEPTH - 1] = 0.5;
  return u[0][0][0] + u[planes - 1][0][1];
}

int main(void) {
  double x[ROWS], y[ROWS];
  double *u = (double *)malloc(4 * WIDTH * DEPTH * sizeof(double));
  int stored = assemble(ROWS, (int (*)[WIDTH])(void *)column, (double (*)[WIDTH])(void *)element);
  for (int i = 0; i < ROWS; i++) x[i] = 0.1 * i;
  multiply(ROWS, (int (*)[WIDTH])column, (const double (*)[WIDTH])element, x, y);
  /* One row further on. */
  printf("%d stored, second row starts %d\n", stored, column[WIDTH]);
  multiply(ROWS - 1, (int (*)[WIDTH])(column + WIDTH), (const double (*)[WIDTH]) & element[WIDTH], x, y);
  for (int i = 0; i < ROWS; i += 9) printf("%.4f ", y[i]);
  for (int i = 0; i < 4 * WIDTH * DEPTH; i++) u[i] = i;
  double c = corner(4, (double (*)[WIDTH][DEPTH])u);
  printf("\n%.1f %.1f\n", c, u[4 * WIDTH * DEPTH - 1]);
  free(u);
  return 0;
}
