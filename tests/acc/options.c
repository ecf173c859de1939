#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>
#define VERBOSE
struct options { int n; double tol; const char *name; int verbose; };
static struct options parse(int argc, char **argv) {
  struct options o = {100, 1e-6, "default", 0};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) o.n = atoi(argv[++i]);
    else if (!strcmp(argv[i], "-v")) o.verbose = 1;
    else if (argv[i][0] == '-' && argv[i][1] == 't') o.tol = atof(argv[++i]);
  }
  return o;
}
static void report(const char *what, double value) { printf("%-10s = %10.4f\n", what, value); }
static const char *kind(int k) { switch (k) { case 0: return "zero"; case 1: return "one"; default: return "many"; } }
int main(int argc, char **argv) {
  struct options o = parse(argc, argv);
  double sum = 0.0, comp = 0.0;
  for (int i = 1; i <= o.n; ++i) {
    double y = 1.0 / ((double)i * i) - comp, t = sum + y;
    comp = (t - sum) - y;
    sum = t;
  }
  report("sum", sum);
  report("pi", sqrt(6 * sum));
  for (int i = 0; i < 3; i++) printf("%s ", kind(i));
  printf("%s %d\n", o.name, o.verbose);
#ifdef VERBOSE
  if (o.tol > 0) puts("ok");
#endif
  return fabs(sum) < o.tol;
}
