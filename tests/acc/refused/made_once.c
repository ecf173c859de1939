// ACC2RS1301: memory is returned that a variable of the function keeps for the next call.
#include <stdio.h>
#include <stdlib.h>
static int calls;
static double *table(void) {
  static double *made = NULL;
  calls++;
  if (!made) {
    made = malloc(16 * sizeof(double));
    for (int i = 0; i < 16; i++)
      made[i] = i * i;
  }
  return made;
}
int main(void) {
  double *first = table();
  first[3] = 1.0;
  double *second = table();
  printf("%g %d\n", second[3], calls);
  return 0;
}
