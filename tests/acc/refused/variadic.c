// ACC2RS1210: a function with a variable number of arguments.
#include <stdarg.h>
static int sum(int n, ...) {
  va_list list;
  int s = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) s += va_arg(list, int);
  va_end(list);
  return s;
}
int main(void) { return sum(2, 1, 2) != 3; }
