// ACC2RS1206: `goto` has no counterpart.
int main(void) {
  int i = 0;
again:
  i++;
  if (i < 10)
    goto again;
  return i;
}
