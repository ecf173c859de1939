// Formats that are parameters, and a found position that nobody wants.
#include <stdio.h>
#include <stdlib.h>

#define MOST 8

struct item {
    int key, count;
};

static struct item items[MOST];
static int used = 0;

static struct item *add(int key)
{
    for (int i = 0; i < used; i++)
        if (items[i].key == key) {
            items[i].count++;
            return &items[i];
        }
    if (used == MOST)
        exit(1);
    struct item *new = &items[used++];
    new->key = key;
    new->count = 1;
    return new;
}

static void row(const char *format, int n, const double *x)
{
    for (int i = 0; i < n; i++)
        printf(format, x[i]);
    printf("\n");
}

/* One format only. */
static void entry(const char *format, const struct item *it)
{
    fprintf(stdout, format, it->key, it->count);
}

int main(void)
{
    double x[6], s = 0.0;
    for (int i = 0; i < 6; i++)
        x[i] = i / 3.0;
#pragma acc parallel loop copyin(x[0:6]) reduction(+:s)
    for (int i = 0; i < 6; i++)
        s += x[i];
    row("%8.3f", 6, x);
    row(" %g", 3, x);
    row("%8.3f", 1, &s);
    for (int i = 0; i < 20; i++)
        add(i * i % 5);
    for (int i = 0; i < used; i++)
        entry("%d: %d\n", &items[i]);
    return used == 3 ? 0 : 1;
}
