// Calls whose values nobody wants, with arguments that are read before something is lent for writing.
#include <stdio.h>

static double scale = 2.0;

static double next(double *x, double a) {
    *x = a * *x - (int)(a * *x);
    return *x;
}

static int push(int *list, int *count, int value) {
    list[*count] = value + (int)scale;
    return ++*count;
}

typedef int (*step)(int, int);

static int add(int a, int b) {
    scale += a;
    return a + b;
}

int main(void) {
    double seed = 0.314159, s = seed;
    int list[8], count = 0;
    step one = add;
    for (int i = 0; i < 3; i++) {
        next(&seed, seed + 1.7);
        if (i != 1)
            next(&s, s + 2.5);
        push(list, &count, count * 10);
        one((int)scale, i);
    }
    int bins[4] = {0};
    #pragma acc parallel loop copy(bins)
    for (int i = 0; i < 100; i++) {
        #pragma acc atomic update
        bins[i % 4] += 1;
    }
    printf("%.6f %.6f %.1f %d\n", seed, s, scale, count);
    for (int i = 0; i < count; i++)
        printf("%d %d\n", list[i], bins[i]);
    return 0;
}
