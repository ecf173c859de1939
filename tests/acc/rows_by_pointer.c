#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows in one block, allocated through a pointer to the table. */
static void alloc_grid(double ***g, int n, int m)
{
    double *buf = malloc(n * m * sizeof(double));
    *g = malloc(n * sizeof(double *));
    for (int i = 0; i < n; i++)
        (*g)[i] = buf + i * m;
}
static int make(float ***out, int n, int m)
{
    *out = malloc(n * sizeof(float *));
    if (!*out) return -1;
    (*out)[0] = malloc(n * m * sizeof(float));
    if (!(*out)[0]) return -1;
    for (int i = 1; i < n; i++) (*out)[i] = (*out)[0] + i * m;
    return 0;
}
static float norm(const float *x, int n) { float s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; }
int main(void)
{
    float **a, **b;
    int n = 6, m = 4;
    if (make(&a, n, m) || make(&b, n, m)) return 1;
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = i - j * 0.5f;
    memcpy(b[0], a[0], sizeof(float) * n * m);
    for (int i = 0; i < n; i++) b[i][i % m] += 1;
    printf("%f %f\n", norm(a[0], n * m), norm(b[0], n * m));
    double **g;
    alloc_grid(&g, 5, 6);
    for (int i = 0; i < 5; i++) for (int j = 0; j < 6; j++) g[i][j] = i * j;
    double s = 0;
    for (int i = 0; i < 5; i++) for (int j = 0; j < 6; j++) s += g[i][j];
    printf("%f\n", s);
    free(g[0]); free(g);
    free(a[0]); free(a); free(b[0]); free(b);
    return 0;
}
