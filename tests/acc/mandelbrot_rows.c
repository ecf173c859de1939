/* The Mandelbrot set in blocks of rows, with async queues, and a histogram of the counts. */
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 48
#define HEIGHT 32
#define MAX_ITERS 80
const double xmin = -1.7, xmax = .5, ymin = -1.2, ymax = 1.2;
#pragma acc declare copyin(xmin, xmax, ymin, ymax)

#pragma acc routine seq
static unsigned char mandelbrot(int Px, int Py) {
  double x0 = xmin + Px * ((xmax - xmin) / WIDTH);
  double y0 = ymin + Py * ((ymax - ymin) / HEIGHT);
  double x = 0.0, y = 0.0;
  int i;
  for (i = 0; x * x + y * y < 4.0 && i < MAX_ITERS; i++) {
    double xtemp = x * x - y * y + x0;
    y = 2 * x * y + y0;
    x = xtemp;
  }
  return (unsigned char)(255.0 * i / MAX_ITERS);
}

int main(void) {
  unsigned char *image = malloc(WIDTH * HEIGHT);
  int hist[256] = {0};
  int num_blocks = 4, block_size = HEIGHT / num_blocks;
#pragma acc data create(image[0 : WIDTH * HEIGHT])
  for (int block = 0; block < num_blocks; block++) {
    int start = block * block_size, end = start + block_size;
#pragma acc parallel loop async(block % 2 + 1)
    for (int y = start; y < end; y++) {
#pragma acc loop
      for (int x = 0; x < WIDTH; x++)
        image[y * WIDTH + x] = mandelbrot(x, y);
    }
#pragma acc update self(image[block * block_size * WIDTH : block_size * WIDTH]) async(block % 2 + 1)
  }
#pragma acc wait
#pragma acc parallel loop copy(hist)
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
#pragma acc atomic update
    hist[image[i]]++;
  }
  int inside = hist[255], fast = 0;
  for (int v = 0; v < 12; v++)
    fast += hist[v];
  printf("%d inside, %d fast, %d\n", inside, fast, image[WIDTH * HEIGHT / 2 + WIDTH / 2]);
  free(image);
  return 0;
}
