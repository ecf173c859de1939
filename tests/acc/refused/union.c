// ACC2RS1209: a union's fields share their storage.
union bits {
  float f;
  unsigned u;
};
int main(void) {
  union bits b;
  b.f = 1.0f;
  return b.u != 0x3f800000u;
}
