#include <stdio.h>

/* A parallel construct gets its own copies of scalars; kernels and data clauses share them. */
int main(void) {
  int s = 0, t = 0, u = 5, q = 1, w = 7;
#pragma acc parallel
  {
#pragma acc loop reduction(+ : s)
    for (int i = 0; i < 10; i++)
      s += i;
    u = 3;
  }
#pragma acc parallel loop
  for (int i = 0; i < 10; i++)
    t += i;
#pragma acc kernels
  for (int i = 0; i < 10; i++)
    w += i;
#pragma acc data copy(q)
  {
#pragma acc parallel
    q = 9;
  }
  printf("s=%d t=%d u=%d w=%d q=%d\n", s, t, u, w, q);
  return !(s == 45 && t == 0 && u == 5 && w == 52 && q == 9);
}
