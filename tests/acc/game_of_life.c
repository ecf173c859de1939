/* Life on a torus: two boards that change places, and the number of cells alive. */
#include <stdio.h>
#include <stdlib.h>

#define ROWS 18
#define COLS 22

static int step(const int *old, int *new, int rows, int cols) {
  int alive = 0;
#pragma acc parallel loop gang reduction(+ : alive) copyin(old[0 : rows * cols]) copyout(new[0 : rows * cols])
  for (int r = 0; r < rows; r++) {
#pragma acc loop vector reduction(+ : alive)
    for (int c = 0; c < cols; c++) {
      int n = 0;
      for (int dr = -1; dr <= 1; dr++)
        for (int dc = -1; dc <= 1; dc++)
          if (dr || dc)
            n += old[((r + dr + rows) % rows) * cols + (c + dc + cols) % cols];
      int lives = n == 3 || (n == 2 && old[r * cols + c]);
      new[r * cols + c] = lives;
      alive += lives;
    }
  }
  return alive;
}

int main(void) {
  int *a = malloc(ROWS * COLS * sizeof(int)), *b = malloc(ROWS * COLS * sizeof(int));
  int alive = 0;
  for (int i = 0; i < ROWS * COLS; i++)
    a[i] = (i * i + 3 * i) % 7 < 3;
  for (int t = 0; t < 9; t++) {
    alive = step(a, b, ROWS, COLS);
    int *h = a;
    a = b;
    b = h;
    if (t % 4 == 0)
      printf("%d: %d\n", t, alive);
  }
  for (int c = 0; c < COLS; c++)
    putchar(a[3 * COLS + c] ? '#' : '.');
  printf("\n%d\n", alive);
  free(a);
  free(b);
  return 0;
}
