/* Pointers that a condition gives one of several fields. */
#include <stdio.h>
#include <stdlib.h>
typedef struct { int n; double *u[2]; double *a, *b; int cur; } Field;
static void init(Field *f, int n)
{
    f->n = n; f->cur = 0;
    for (int k = 0; k < 2; k++) { f->u[k] = malloc(n * sizeof(double)); for (int i = 0; i < n; i++) f->u[k][i] = i * 0.1 + k; }
    f->a = calloc(n, sizeof(double)); f->b = calloc(n, sizeof(double));
}
static void advance(Field *f)
{
    double *in = f->u[f->cur], *out = f->u[1 - f->cur];
    double *x, *y;
    if (f->cur) { x = f->a; y = f->b; } else { x = f->b; y = f->a; }
    const int n = f->n;
#pragma acc parallel loop copyin(in[0:n]) copy(out[0:n], x[0:n]) copyin(y[0:n])
    for (int i = 1; i < n - 1; i++) {
        double row = 0.5 * (in[i-1] + in[i+1]);
        out[i] = row;
        x[i] += row - y[i];
    }
    f->cur = 1 - f->cur;
}
static double choose(Field *f, int which, int from)
{
    double *p = NULL;
    if (which == 0) p = f->a;
    else if (which == 1) p = f->b;
    else { fprintf(stderr, "bad\n"); return -1; }
    double *q = p + from;
    double s = 0;
    for (int i = 0; i < 4; i++) s += q[i];
    return s;
}
int main(void)
{
    Field f; init(&f, 30);
    for (int t = 0; t < 9; t++) advance(&f);
    printf("%.5f %.5f %.5f %.5f\n", f.u[f.cur][3], choose(&f, 0, 2), choose(&f, 1, 3), choose(&f, 5, 0));
    free(f.u[0]); free(f.u[1]); free(f.a); free(f.b);
    return 0;
}
