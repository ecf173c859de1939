#include <stdio.h>
#include <stdlib.h>

/* The largest and smallest value of each class; gcc knows no atomic min and max. */
int main(void) {
  enum { N = 2000, C = 9 };
  int v[N], c[N], lo[C], hi[C];
  for (int i = 0; i < N; i++) {
    v[i] = (i * 7919) % 1009;
    c[i] = i % C;
  }
  for (int k = 0; k < C; k++) { lo[k] = 1 << 30; hi[k] = -1; }
#pragma acc parallel loop copyin(v, c) copy(lo, hi)
  for (int i = 0; i < N; i++) {
    lo[c[i]] = v[i] < lo[c[i]] ? v[i] : lo[c[i]];
    hi[c[i]] = hi[c[i]] > v[i] ? hi[c[i]] : v[i];
  }
  int bad = 0;
  for (int k = 0; k < C; k++) {
    printf("[%d, %d]\n", lo[k], hi[k]);
    if (lo[k] > hi[k]) bad = 1;
  }
  return bad;
}
