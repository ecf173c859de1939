/* Bins updated by a plain assignment under `atomic`, and a recursive check with memory of its own on every level. */
#include <math.h>
#include <openacc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 1000
#define CELLS (ITEMS / 8 + 1)

typedef double scalar;

/* Whether some of the `count` weights add up to `goal` exactly, tried by leaving each out in turn. */
static bool reaches(int count, const int *weights, int goal) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += weights[i];
    if (sum == goal) return true;
    if (count <= 1) return false;
    bool found = false;
    int *rest = (int *)malloc((count - 1) * sizeof(int));
    for (int left_out = 0; left_out < count && !found; ++left_out) {
        int kept = 0;
        for (int i = 0; i < count; ++i) {
            if (i != left_out) rest[kept++] = weights[i];
        }
        found = reaches(count - 1, rest, goal);
    }
    free(rest);
    return found;
}

static int products(void) {
    int wrong = 0;
    scalar *u = (scalar *)malloc(ITEMS * sizeof(scalar));
    scalar *v = (scalar *)malloc(ITEMS * sizeof(scalar));
    int *sums = (int *)calloc(CELLS, sizeof(int));
    int *expected = (int *)calloc(CELLS, sizeof(int));
    srand(11);
    for (int i = 0; i < ITEMS; ++i) {
        u[i] = rand() / (scalar)(RAND_MAX / 12);
        v[i] = rand() / (scalar)(RAND_MAX / 12);
    }
    #pragma acc data copyin(u[0:ITEMS], v[0:ITEMS]) copy(sums[0:CELLS])
    {
        #pragma acc parallel
        {
            #pragma acc loop
            for (int i = 0; i < ITEMS; ++i) {
                #pragma acc atomic
                sums[i % ((int)(ITEMS / 8) + 1)] = sums[i % ((int)(ITEMS / 8) + 1)] + (int)(u[i] * v[i]);
            }
        }
    }
    for (int i = 0; i < ITEMS; ++i) expected[i % CELLS] += (int)(u[i] * v[i]);
    for (int c = 0; c < CELLS; ++c) {
        if (fabs((scalar)(sums[c] - expected[c])) > 1e-8) {
            wrong = 1;
            break;
        }
    }
    free(u);
    free(v);
    free(sums);
    free(expected);
    return wrong;
}

int main(void) {
    int weights[4] = {3, 5, 9, 14};
    int code = 0;
    code |= products() << 0;
    code |= (reaches(4, weights, 22) ? 0 : 1) << 1;
    code |= (reaches(4, weights, 13) ? 1 : 0) << 2;
    printf("code %d\n", code);
    return code;
}
