// ACC2RS1211: pointers to functions that take arrays are not translated.
static int first(const int *x) { return x[0]; }
static int second(const int *x) { return x[1]; }
int main(int argc, char **argv) {
  int a[2] = {1, 2};
  int (*f)(const int *) = argc > 1 ? first : second;
  return f(a) != 2;
}
