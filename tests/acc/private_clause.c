#include <stdio.h>

int main(void) {
  int a[50], tmp, last = -1, i;
#pragma acc parallel loop private(tmp) copyout(a[0:50])
  for (i = 0; i < 50; i++) {
    tmp = i * i;
    a[i] = tmp - i;
  }
#pragma acc parallel loop firstprivate(last) copy(a)
  for (i = 0; i < 50; i++)
    a[i] += last;
  int sum = 0;
  for (i = 0; i < 50; i++)
    sum += a[i];
  printf("%d\n", sum);
  return 0;
}
