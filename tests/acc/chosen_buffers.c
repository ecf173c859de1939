// Pointers that a condition gives one of two arrays, in declarations, branches and arguments.
#include <stdio.h>
#include <stdlib.h>

#define N 64
#define BINS 16

static double even[N], odd[N];

static void relax(const double *src, double *dst, int n)
{
#pragma acc parallel loop copyin(src[0:n]) copy(dst[0:n])
    for (int i = 1; i < n - 1; i++)
        dst[i] = 0.5 * (src[i - 1] + src[i + 1]);
}

static double sum(const double *a, const double *b, int second, int n)
{
    const double *p = second ? b : a;
    double s = 0.0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}

/* Two buffers that change places with the step's number. */
static void smooth(double *a, double *b, int n, int steps)
{
    for (int t = 0; t < steps; t++) {
        double *from = t % 2 ? b : a, *to = t % 2 ? a : b;
        for (int i = 1; i < n - 1; i++)
            to[i] = (from[i - 1] + 2.0 * from[i] + from[i + 1]) / 4.0;
    }
}

int main(int argc, char **argv)
{
    int n = N, rare[BINS] = { 0 }, common[BINS] = { 0 };
    double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
    double *src, *dst;
    for (int i = 0; i < n; i++) {
        a[i] = i * i % 23;
        b[i] = a[i];
        even[i] = i % 7;
        odd[i] = even[i];
    }
    for (int t = 0; t < 5; t++) {
        // which one is read
        if (t % 2 == 0) {
            src = a;
            dst = b;
        } else {
            src = b;
            dst = a;
        }
        for (int i = 1; i < n - 1; i++)
            dst[i] = 0.25 * src[i - 1] + 0.5 * src[i] + 0.25 * src[i + 1];
    }
    for (int t = 0; t < 7; t++)
        relax(t & 1 ? odd : even, t & 1 ? even : odd, n);
    smooth(a, b, n, 3);

    int *counts = argc > 1 ? rare : common;
#pragma acc parallel loop copyin(a[0:n]) copy(counts[0:BINS])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        counts[(int) a[i] % BINS]++;
    }
    for (int i = 0; i < BINS; i++)
        printf("%d/%d ", rare[i], common[i]);
    printf("\n%.6f %.6f\n", sum(a, b, 0, n), sum(a, b, 1, n));
    printf("%.6f %.6f\n", sum(even, odd, argc > 1, n), sum(even, odd, argc == 1, n));
    free(a);
    free(b);
    return sum(even, odd, 0, n) > 0.0 ? 0 : 1;
}
