// Several pointers that one statement makes null.
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n;
    double *x, *y, *w;
} cloud;

static int *first, *second;

static void cloud_free(cloud *c)
{
    free(c->x);
    free(c->y);
    free(c->w);
    /* nothing is left */
    c->x = c->y = c->w = NULL;
    c->n = 0;
}

int main(void)
{
    cloud c;
    double sum = 0.0;
    c.x = c.y = c.w = NULL;
    c.n = 50;
    c.x = malloc(c.n * sizeof(double));
    c.y = malloc(c.n * sizeof(double));
    c.w = calloc(c.n, sizeof(double));
    for (int i = 0; i < c.n; i++) {
        c.x[i] = i % 8;
        c.y[i] = i / 8.0;
    }
    double *x = c.x, *y = c.y, *w = c.w;
    int n = c.n;
#pragma acc parallel loop copyin(x[0:n], y[0:n]) copy(w[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        w[(int) x[i]] += y[i];
    }
    for (int i = 0; i < 8; i++)
        sum += c.w[i] * (i + 1);
    printf("%.4f\n", sum);
    cloud_free(&c);
    if (c.x == NULL && !c.w)
        printf("freed %d\n", c.n);

    if (sum > 0)
        first = second = NULL;
    second = malloc(4 * sizeof(int));
    for (int i = 0; i < 4; i++)
        second[i] = i * i;
    printf("%s %d\n", first ? "set" : "null", second[3]);
    free(second);
    return 0;
}
