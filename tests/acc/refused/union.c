// ACC2RS1209: a union's fields share their storage, one of them a pointer.
union handle {
  long number;
  const char *name;
};
int main(void) {
  union handle h;
  h.name = "x";
  return h.number == 0;
}
