#include <stdio.h>
#include <string.h>

#define G 8
#define S 50

static unsigned char img[S * S];
static unsigned int glcm[4][G][G];

/* Grey-level co-occurrence in four directions: bins in three dimensions. */
int main(void) {
  const int dx[4] = {1, 1, 0, -1}, dy[4] = {0, 1, 1, 1};
  for (int i = 0; i < S * S; i++) img[i] = (i * i / 7 + i) % G;
  memset(glcm, 0, sizeof(glcm));
#pragma acc parallel loop collapse(2) copyin(img, dx, dy) copy(glcm)
  for (int y = 1; y < S - 1; y++)
    for (int x = 1; x < S - 1; x++)
      for (int d = 0; d < 4; d++) {
        int a = img[y * S + x], b = img[(y + dy[d]) * S + (x + dx[d])];
#pragma acc atomic update
        glcm[d][a][b]++;
      }
  for (int d = 0; d < 4; d++) {
    double contrast = 0;
    for (int a = 0; a < G; a++)
      for (int b = 0; b < G; b++) contrast += (double)(a - b) * (a - b) * glcm[d][a][b];
    printf("%.4f\n", contrast / ((S - 2) * (S - 2)));
  }
  return 0;
}
