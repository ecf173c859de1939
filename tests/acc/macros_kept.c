#include <stdio.h>
#define ROWS 6
#define COLS (ROWS * 2)
#define AT(r, c) ((r) * COLS + (c))
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))
#define SCALE 0.25f
#define DEBUG 0
#define LOG(...) do { if (DEBUG) printf(__VA_ARGS__); } while (0)
#define FOR(i, n) for (int i = 0; i < (n); i++)
#if ROWS > 4 && defined(COLS)
#define MODE 2
#else
#define MODE 1
#endif

int main(void) {
  int a[ROWS * COLS], h[MODE + 3] = {0};
  FOR(r, ROWS)
    FOR(c, COLS) a[AT(r, c)] = r * c;
  LOG("filled %d\n", a[0]);
#pragma acc parallel loop collapse(2) copyin(a) copy(h)
  FOR(r, ROWS) {
    FOR(c, COLS) {
#pragma acc atomic update
      h[CLAMP(a[AT(r, c)] / 10, 0, MODE + 2)]++;
    }
  }
  FOR(i, MODE + 3) printf("%d ", h[i]);
  printf("%.2f\n", SCALE * COLS);
  return 0;
}
