#include <stdio.h>
#include <stdlib.h>
#include <openacc.h>

/* enter/exit data, update, async and wait, host_data, the runtime's functions. */
int main(void) {
  int n = 1000;
  float *x = (float *)malloc(n * sizeof(float));
  int *h = (int *)malloc(16 * sizeof(int));
  acc_init(acc_device_default);
  for (int i = 0; i < n; i++) x[i] = (i % 160) * 0.1f;
  for (int i = 0; i < 16; i++) h[i] = 0;
#pragma acc enter data copyin(x[0:n], h[0:16]) async(1)
#pragma acc wait(1)
#pragma acc parallel loop present(x[0:n], h[0:16]) async(2) num_gangs(8) vector_length(64)
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    h[(int)x[i]] += 1;
  }
#pragma acc wait
#pragma acc update self(h[0:16])
#pragma acc host_data use_device(h)
  {
    if (acc_is_present(h, 16 * sizeof(int)) == 0) printf("absent\n");
  }
#pragma acc exit data delete(x) copyout(h[0:16])
  int total = 0;
  for (int i = 0; i < 16; i++) total += h[i];
  acc_wait_all();
  acc_shutdown(acc_device_default);
  printf("%d %d\n", total, h[0]);
  free(x);
  free(h);
  return total != n;
}
