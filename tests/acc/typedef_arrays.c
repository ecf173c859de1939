/* Arrays hidden behind typedefs, as parameters too. */
#include <stdio.h>
#include <string.h>

typedef double vec3[3];
typedef vec3 mat3[3];

static void apply(mat3 m, const vec3 a, vec3 out) {
  for (int i = 0; i < 3; i++) {
    out[i] = 0;
    for (int j = 0; j < 3; j++)
      out[i] += m[i][j] * a[j];
  }
}

int main(void) {
  vec3 a = {1, 2, 3}, b;
  mat3 m;
  memset(m, 0, sizeof(m));
  for (int i = 0; i < 3; i++)
    m[i][(i + 1) % 3] = a[i];
  apply(m, a, b);
  double sum = 0;
#pragma acc parallel loop reduction(+:sum) copyin(b)
  for (int i = 0; i < 3; i++)
    sum += b[i];
  printf("%g %g %g %g\n", b[0], b[1], b[2], sum);
  return sum != 11;
}
