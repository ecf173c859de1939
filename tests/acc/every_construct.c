#include <stdio.h>
#include <stdlib.h>
#include <openacc.h>
int lut[16];
#pragma acc declare create(lut)
#pragma acc routine seq
extern int twice(int);
#pragma acc routine seq
int twice(int x) { return 2 * x; }
int main() {
  int n = 128, *a = malloc(n * sizeof(int)), dev = acc_get_device_num(acc_get_device_type());
  for (int i = 0; i < 16; i++) lut[i] = twice(i);
#pragma acc update device(lut)
#pragma acc data create(a[0:n]) if(n > 10)
  {
#pragma acc kernels loop gang(4) vector(32) independent
    for (int i = 0; i < n; i++) a[i] = lut[i & 15];
#pragma acc serial loop present(a)
    for (int i = 1; i < n; i++) a[i] += a[i - 1];
#pragma acc parallel num_gangs(2) num_workers(4) vector_length(32) default(present) async(1) wait(0)
#pragma acc loop gang worker
    for (int i = 0; i < n; i++) {
#pragma acc cache(a[i:1])
      a[i] /= 2;
    }
#pragma acc wait(1) async(2)
#pragma acc update host(a[0:n])
  }
  int sum = 0, cnt = 0, mx = 0;
#pragma acc parallel loop reduction(+:sum,cnt) reduction(max:mx) copyin(a[0:n])
  for (int i = 0; i < n; i++) {
    sum += a[i];
    if (a[i] % 2 == 0) cnt++;
    if (a[i] > mx) mx = a[i];
  }
  if (acc_on_device(acc_device_nvidia)) printf("device\n");
  printf("%d %d %d %d\n", sum, cnt, mx, dev >= 0);
  free(a);
  return 0;
}
