/* Tables of pointers to memory and to locals, and choices among fields of one struct. */
#include <stdio.h>
#include <stdlib.h>
typedef struct { double v, w; } Pt;
static void scale(double *x, double f, int n) { for (int i = 0; i < n; i++) x[i] *= f; }
static double dot(const double *a, const double *b, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]*b[i]; return s; }
typedef struct { double *x, *y, *z; int n; } Atoms;
static double total(const double *v, int n) { double s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }
static double extent(const Atoms *a, int axis)
{
    const double *c = NULL;
    switch (axis) {
    case 0: c = a->x; break;
    case 1: c = a->y; break;
    default: c = a->z; break;
    }
    double lo = c[0], hi = c[0];
#pragma acc parallel loop reduction(min:lo) reduction(max:hi)
    for (int i = 0; i < a->n; i++) { if (c[i] < lo) lo = c[i]; if (c[i] > hi) hi = c[i]; }
    return hi - lo;
}
int main(void)
{
    int n = 12;
    double *x = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double)), *z = malloc(n * sizeof(double));
    double *all[] = { x, y, z };
    const char *nm[] = { "x", "y", "z" };
    for (int k = 0; k < 3; k++) for (int i = 0; i < n; i++) all[k][i] = i + k;
    for (int k = 0; k < 3; k++)
        for (int l = k; l < 3; l++)
            printf("%s.%s = %.2f\n", nm[k], nm[l], dot(all[k], all[l], n));
    scale(all[1], 2, n);
    for (int k = 0; k < 3; k++) { double *p = all[k]; double s = 0; for (int i = 0; i < n; i++) s += p[i]; printf("%.2f\n", s); }
    Pt a = {1, 2}, b = {3, 4};
    Pt *pts[2] = { &a, &b };
    for (int k = 0; k < 2; k++) { pts[k]->v += 1; Pt *q = pts[k]; q->w *= 2; }
    printf("%.1f %.1f %.1f %.1f\n", a.v, a.w, b.v, b.w);
    for (int k = 0; k < 3; k++) free(all[k]);
    Atoms at; at.n = 30;
    at.x = malloc(at.n * sizeof *at.x); at.y = malloc(at.n * sizeof *at.y); at.z = malloc(at.n * sizeof *at.z);
    for (int i = 0; i < at.n; i++) { at.x[i] = i * 0.5; at.y[i] = (i * 7) % 13; at.z[i] = -i; }
    for (int k = 0; k < 3; k++) {
        const double *c = k == 0 ? at.x : k == 1 ? at.y : at.z;
        printf("%d %.3f %.3f\n", k, extent(&at, k), total(c, at.n));
    }
    free(at.x); free(at.y); free(at.z);
    return 0;
}
