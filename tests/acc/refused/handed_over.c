// ACC2RS1301: a global is read after its memory has been handed over to a field: in C both point to it.
#include <stdio.h>
#include <stdlib.h>
struct series {
  double *x;
  int n;
};
static double *values;
static void show(int i) { printf("%g\n", values[i]); }
int main(void) {
  struct series s;
  s.n = 8;
  values = malloc(s.n * sizeof(double));
  for (int i = 0; i < s.n; i++)
    values[i] = i;
  s.x = values;
  s.x[2] = 5.0;
  show(2);
  free(s.x);
  return 0;
}
