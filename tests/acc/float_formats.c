#include <stdio.h>
#include <math.h>

int main(void) {
  double v[] = {0.0, 1.0, -1.5, 3.14159265358979, 1e10, 1.5e-7, 123456789.0, 0.1};
  for (int i = 0; i < (int)(sizeof(v) / sizeof(v[0])); i++) {
    printf("%f %e %g %.3f %10.4f|%-10.2f|%+.1f|%08.3f\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    printf("%.0f %.2e %.10g %G\n", v[i], v[i], v[i], v[i]);
  }
  printf("%d|%5d|%-5d|%05d|%+d|%x|%X|%o|%c|%s|%%\n", 42, 42, 42, 42, 42, 255, 255, 8, 'q', "text");
  printf("%10s|%-10s|%.2s|%*d|%.*f\n", "right", "left", "cut", 6, 7, 2, 2.71828);
  printf("%ld %lu %lld %zu %hd\n", 1L << 40, 1UL << 63, -5LL, sizeof(int), (short)70000);
  printf("{%d} {%s}\n", 1, "{}");
  float f = 0.1f;
  printf("%.9f %.3f\n", f, f * 3);
  printf("%f %f\n", INFINITY, -INFINITY);
  puts("done {}");
  putchar('x');
  putchar('\n');
  fputs("to stdout\n", stdout);
  fprintf(stdout, "%d%%\n", 50);
  return 0;
}
