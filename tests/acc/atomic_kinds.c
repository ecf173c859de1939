/* One loop for each kind of atomic: a product, a set of bits, and tickets taken and given back by capture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DRAWERS = 12, PEOPLE = 480 };

int groups = PEOPLE;

static int products(double *share) {
    int cells = groups / 16 + 1, wrong = 0;
    double *factor = (double *)malloc(cells * sizeof(double));
    double *check = (double *)malloc(cells * sizeof(double));
    for (int c = 0; c < cells; ++c) factor[c] = check[c] = 1.0;
    #pragma acc data copyin(share[0:groups]) copy(factor[0:groups / 16 + 1])
    {
        #pragma acc parallel
        {
            #pragma acc loop
            for (int p = 0; p < groups; ++p) {
                #pragma acc atomic update
                factor[p % (groups / 16 + 1)] *= share[p];
            }
        }
    }
    for (int p = 0; p < groups; ++p) check[p % cells] *= share[p];
    for (int c = 0; c < cells; ++c) wrong += fabs(factor[c] - check[c]) > 1e-9;
    free(factor);
    free(check);
    return wrong;
}

static int badges(void) {
    unsigned int worn[DRAWERS] = {0};
    int bare = 0;
    #pragma acc parallel loop copy(worn[0:DRAWERS])
    for (int p = 0; p < groups; ++p) {
        #pragma acc atomic
        worn[p % DRAWERS] |= 1u << (p % 19);
    }
    for (int d = 0; d < DRAWERS; ++d) bare += worn[d] == 0;
    return bare;
}

static int tickets(void) {
    int *taken = (int *)calloc(DRAWERS, sizeof(int));
    int *mine = (int *)malloc(groups * sizeof(int));
    int *last = (int *)malloc(groups * sizeof(int));
    int wrong = 0;
    #pragma acc parallel loop copy(taken[0:DRAWERS]) copyout(mine[0:groups])
    for (int p = 0; p < groups; ++p) {
        #pragma acc atomic capture
        mine[p] = taken[p % DRAWERS]++;
    }
    for (int p = 0; p < groups; ++p) wrong += mine[p] < 0 || mine[p] > groups / DRAWERS;
    #pragma acc parallel loop copy(taken[0:DRAWERS]) copyout(last[0:groups])
    for (int p = 0; p < groups; ++p) {
        #pragma acc atomic capture
        {
            last[p] = taken[p % DRAWERS];
            taken[p % DRAWERS] -= 1;
        }
    }
    for (int d = 0; d < DRAWERS; ++d) wrong += taken[d] != 0;
    for (int p = 0; p < groups; ++p) wrong += last[p] <= 0;
    free(taken);
    free(mine);
    free(last);
    return wrong;
}

int main(int argc, char **argv) {
    double *share = (double *)malloc(groups * sizeof(double));
    for (int p = 0; p < groups; ++p) share[p] = 0.5 + fabs(cos(p));
    int a = products(share), b = badges(), c = tickets();
    printf("%d %d %d\n", a, b, c);
    free(share);
    return a + b + c;
}
