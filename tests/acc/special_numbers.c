/* Numbers as printf writes them that are not finite, have a sign or zeros or a least number of digits. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
int main(int argc, char **argv) {
  double z = argc - 1.0;
  double v[] = { z / z, 1.0 / z, -1.0 / z, log(z - 1.0), sqrt(z - 4), 0.1, -2.5e-9, 1234567.0, NAN, INFINITY, -0.0 };
  float f = v[1];
  for (int i = 0; i < (int)(sizeof v / sizeof v[0]); i++) {
    double x = v[i];
    printf("[%f] [%8.2f] [%-8.1f] [%08.2f] [%+f] [% f] [%F]\n", x, x, x, x, x, x, x);
    printf("[%e] [%12.3e] [%-12.3e] [%012.3e] [%+e] [% e] [%E]\n", x, x, x, x, x, x, x);
    printf("[%g] [%8.3g] [%-8.3g] [%08.3g] [%+g] [% g] [%G]\n", x, x, x, x, x, x, x);
    printf("[%*.*f] [%-*g] [%+012g] [% -10.2e] [%0*g]\n", 9, 2, x, 9, x, x, x, 9, x);
    if (isnan(x)) printf("nan %d\n", signbit(x) != 0);
    if (isinf(x)) printf("inf %d\n", x > 0);
  }
  printf("%f %g\n", f, -f);
  return 0;
}
