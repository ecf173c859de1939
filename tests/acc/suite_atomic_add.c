#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <openacc.h>
#include <stdbool.h>
#define n 1000
#define SEED 5
#define NUM_TEST_CALLS 1
#define PRECISION 1e-8
typedef double real_t;
bool possible_result(int length, int * remaining, int current, int target){
    if (length == 0) return current == target;
    for (int x = 0; x < length; ++x){
        int * passed = (int *)malloc((length - 1) * sizeof(int));
        for (int y = 0; y < x; ++y) passed[y] = remaining[y];
        for (int y = x + 1; y < length; ++y) passed[y - 1] = remaining[y];
        if (possible_result(length - 1, passed, current + remaining[x], target)){
            free(passed);
            return true;
        }
        free(passed);
    }
    return false;
}
int test1(){
    int err = 0;
    srand(SEED);
    real_t *a = (real_t *)malloc(n * sizeof(real_t));
    real_t *b = (real_t *)malloc(n * sizeof(real_t));
    real_t *c = (real_t *)malloc(n * sizeof(real_t));
    int *totals = (int *)malloc((n/10 + 1) * sizeof(int));
    int *totals_comparison = (int *)malloc((n/10 + 1) * sizeof(int));
    for (int x = 0; x < n; ++x){
        a[x] = rand() / (real_t)(RAND_MAX / 10);
        b[x] = rand() / (real_t)(RAND_MAX / 10);
        c[x] = 0.0;
    }
    for (int x = 0; x < n/10 + 1; ++x){ totals[x] = 0; totals_comparison[x] = 0; }
    #pragma acc data copyin(a[0:n], b[0:n]) copy(totals[0:n/10 + 1], totals_comparison[0:(n/10)+1])
    {
        #pragma acc parallel
        {
            #pragma acc loop
            for (int x = 0; x < n; ++x){
                #pragma acc atomic
                    totals[x%((int) (n/10) + 1)] = totals[x%((int) (n/10) + 1)] + (int)(a[x] * b[x]);
            }
        }
    }
    for (int x = 0; x < n; ++x){
        totals_comparison[x%((int)(n/10) + 1)] += (int)(a[x] * b[x]);
    }
    for (int x = 0; x < n/10 + 1; ++x){
        if (fabs(totals_comparison[x] - totals[x]) > PRECISION){
            err += 1;
            break;
        }
    }
    int small[3] = {1,2,3};
    if (!possible_result(3, small, 0, 6)) err += 1;
    free(a); free(b); free(c); free(totals); free(totals_comparison);
    return err;
}
int main(){
    int failcode = 0;
    int failed;
    failed = 0;
    for (int x = 0; x < NUM_TEST_CALLS; ++x){
        failed = failed + test1();
    }
    if (failed != 0){
        failcode = failcode + (1 << 0);
    }
    return failcode;
}
