// ACC2RS1211: calls through pointers are not translated.
static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
int main(int argc, char **argv) {
  int (*f)(int) = argc > 1 ? one : two;
  return f(1) != 3;
}
