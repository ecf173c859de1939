// ACC2RS1102: a clause that OpenACC does not have.
int main(void) {
  int h[4] = {0};
#pragma acc parallel loop copy(h) schedule(static)
  for (int i = 0; i < 100; i++) {
#pragma acc atomic update
    h[i % 4]++;
  }
  return h[0] != 25;
}
