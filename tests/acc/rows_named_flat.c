/* Rows in one block that get flat names for some time; the name of the program is a text, and no row. */
#include <stdio.h>
#include <stdlib.h>
static float **make(int rows, int cols)
{
    float **m = (float **)malloc(rows * sizeof(float *));
    float *data = (float *)calloc(rows * cols, sizeof(float));
    for (int i = 0; i < rows; i++) m[i] = data + i * cols;
    return m;
}
static void scale(float *x, int n, float f)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++) x[i] *= f;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 12;
    float **a = make(n, n), **b = make(n, n), **c = make(n, n);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { a[i][j] = i + j; b[i][j] = i == j; }
    float *pa = a[0], *pb = b[0], *pc = &c[0][0];
#pragma acc parallel loop collapse(2) copyin(pa[0:n*n], pb[0:n*n]) copyout(pc[0:n*n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++) s += pa[i*n+k] * pb[k*n+j];
            pc[i*n+j] = s;
        }
    if (argc > 2) printf("%s takes one size\n", argv[0]);
    scale(c[0], n * n, 0.5f);
    printf("%.2f %.2f\n", c[1][2], c[n-1][n-1]);
    free(a[0]); free(a); free(b[0]); free(b); free(c[0]); free(c);
    return 0;
}
