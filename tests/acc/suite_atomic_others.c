#include <stdio.h>
#include <stdlib.h>
#include <math.h>
typedef double real_t;
int n = 512;
int test(void){
    int err = 0;
    real_t *a = (real_t *)malloc(n * sizeof(real_t));
    real_t *totals = (real_t *)malloc(((n/10)+1) * sizeof(real_t));
    real_t *host = (real_t *)malloc(((n/10)+1) * sizeof(real_t));
    unsigned int *ui = (unsigned int*)malloc(sizeof(unsigned int) * 10);
    for (int x = 0; x < 10; x++) ui[x] = 0;
    for (int x = 0; x < n; ++x) a[x] = fabs(sin(x));
    for (int x = 0; x < (n/10)+1; ++x){ totals[x] = 1; host[x] = 1; }
    #pragma acc data copyin(a[0:n]) copy(totals[0:(n/10)+1])
    {
      #pragma acc parallel
      {
        #pragma acc loop
        for (int x = 0; x < n; ++x){
          #pragma acc atomic update
          totals[x%((n/10)+1)] *= a[x];
        }
      }
    }
    for (int x = 0; x < n; ++x) host[x%((n/10)+1)] *= a[x];
    for (int x = 0; x < (n/10)+1; ++x) if (fabs(totals[x]-host[x]) > 1e-8) { err++; }
    #pragma acc parallel loop copy(ui[0:10])
    for (int x = 0; x < n; ++x) {
      #pragma acc atomic
      ui[x % 10] |= 1 << (x % 16);
    }
    for (int x = 0; x < 10; x++) if (ui[x] == 0) err += 2;
    int *passed = (int*)malloc(10*sizeof(int)), *c = (int*)malloc(n*sizeof(int));
    for (int x = 0; x < 10; ++x) passed[x] = 0;
    #pragma acc parallel loop copy(passed[0:10]) copyout(c[0:n])
    for (int x = 0; x < n; ++x) {
      #pragma acc atomic capture
      c[x] = passed[x % 10]++;
    }
    for (int x = 0; x < n; ++x) if (c[x] < 0 || c[x] > n/10 + 1) err += 4;
    int *d = (int*)malloc(n*sizeof(int));
    #pragma acc parallel loop copy(passed[0:10]) copyout(d[0:n])
    for (int x = 0; x < n; ++x) {
      #pragma acc atomic capture
      {
        d[x] = passed[x % 10];
        passed[x % 10] -= 1;
      }
    }
    for (int x = 0; x < 10; ++x) if (passed[x] != 0) err += 8;
    free(a); free(totals); free(host); free(ui); free(passed); free(c); free(d);
    return err;
}
int main(int argc, char** argv){ int e = test(); printf("%d\n", e); return e; }
