/* A table of rows in a block that is also used by its own name; rows of it are passed on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void fill(double *p, int n, double v) { for (int i = 0; i < n; i++) p[i] = v; }
int main(void)
{
    int n = 16, m = 8;
    double *block = malloc(n * m * sizeof(double));
    double **a = malloc(n * sizeof(double *));
    for (int i = 0; i < n; i++) a[i] = &block[i * m];
    fill(a[0], n * m, 2.0);
#pragma acc parallel loop collapse(2) copy(block[0:n*m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) block[i*m+j] += i * 10 + j;
    double s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j];
    memset(a[0], 0, m * sizeof(double));
    printf("%.3f %.3f %.3f\n", s, a[0][3], a[15][7]);
    free(block); free(a);
    return 0;
}
