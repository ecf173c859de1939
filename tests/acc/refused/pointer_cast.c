// ACC2RS1303: the bytes of a double are read as integers.
#include <stdlib.h>
int main(void) {
  double *d = (double *)malloc(8 * sizeof(double));
  for (int i = 0; i < 8; i++) d[i] = i;
  unsigned *words = (unsigned *)d;
  int r = words[1] == 0;
  free(d);
  return !r;
}
