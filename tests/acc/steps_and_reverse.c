#include <stdio.h>
int main(void) {
  int h[10] = {0}, n = 100, s = 0;
#pragma acc parallel loop copy(h)
  for (int i = 0; i < n; i += 3) {
#pragma acc atomic
    h[i % 10]++;
  }
#pragma acc parallel loop copy(h)
  for (int i = n - 1; i >= 0; i--) {
#pragma acc atomic
    h[i / 10] += i;
  }
#pragma acc parallel loop copy(h)
  for (int i = 1; i <= n; i++) {
#pragma acc atomic
    h[(i * i) % 10] -= 1;
  }
  for (int i = 10; i > 0; i -= 2) s = s * 7 + h[i - 1];
  for (unsigned u = 5; u-- > 0;) s += h[u];
  int i;
  for (i = 0; i < n && h[i % 10] != 0; i++) {
    if (i == 7) break;
  }
  for (int stride = n / 2; stride > 0; stride /= 2) s ^= stride;
  printf("%d %d\n", s, i);
  return 0;
}
