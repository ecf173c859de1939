// ACC2RS1211: pointers to functions that take memory of no type are not translated.
static int first(const void *x) { return ((const int *)x)[0]; }
static int second(const void *x) { return ((const int *)x)[1]; }
int main(int argc, char **argv) {
  int a[2] = {1, 2};
  int (*f)(const void *) = argc > 1 ? first : second;
  return f(a) != 2;
}
