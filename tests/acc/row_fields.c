#include <stdio.h>
#include <stdlib.h>

/* Structs with a block of memory and a table of rows in it. */
typedef struct { int w, h; unsigned char *pix; unsigned char **line; } Image;
static void image_init(Image *im, int w, int h)
{
    im->w = w; im->h = h;
    im->pix = (unsigned char *)malloc((size_t)w * h);
    im->line = (unsigned char **)malloc(h * sizeof(unsigned char *));
    if (im->pix == NULL || im->line == NULL) { fprintf(stderr, "no memory\n"); exit(1); }
    for (int y = 0; y < h; y++) im->line[y] = &im->pix[(size_t)y * w];
}
typedef struct { int n, m; double *buf; double **a; } Grid;
static Grid grid(int n, int m)
{
    Grid g;
    g.n = n; g.m = m;
    g.buf = calloc((size_t)n * m, sizeof *g.buf);
    g.a = malloc(n * sizeof *g.a);
    g.a[0] = g.buf;
    for (int i = 1; i < n; i++) g.a[i] = g.a[i - 1] + m;
    return g;
}
static void relax(Grid *out, const Grid *in)
{
    int n = in->n, m = in->m;
    for (int i = 1; i < n - 1; i++) {
        const double *up = in->a[i - 1], *mid = in->a[i], *down = in->a[i + 1];
        double *to = out->a[i];
#pragma acc parallel loop
        for (int j = 1; j < m - 1; j++) to[j] = 0.25 * (up[j] + down[j] + mid[j - 1] + mid[j + 1]);
    }
}
typedef struct { int rows, cols; double *data; double **row; } Matrix;
Matrix *matrix_new(int rows, int cols)
{
    Matrix *m = malloc(sizeof(Matrix));
    m->rows = rows; m->cols = cols;
    m->data = calloc(rows * cols, sizeof(double));
    m->row = malloc(rows * sizeof(double *));
    for (int i = 0; i < rows; i++) m->row[i] = m->data + i * cols;
    return m;
}
void matrix_free(Matrix *m) { free(m->row); free(m->data); free(m); }
void mul(const Matrix *a, const Matrix *b, Matrix *c)
{
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->cols; j++) {
            double s = 0;
            for (int k = 0; k < a->cols; k++) s += a->row[i][k] * b->row[k][j];
            c->row[i][j] = s;
        }
}
int main(void)
{
    Image im;
    image_init(&im, 31, 17);
    for (int y = 0; y < 17; y++) for (int x = 0; x < 31; x++) im.line[y][x] = (unsigned char)(x * y);
    int hist[256] = {0};
#pragma acc parallel loop
    for (int i = 0; i < 31 * 17; i++) {
#pragma acc atomic update
        hist[im.pix[i]]++;
    }
    int s = 0;
    for (int i = 0; i < 256; i++) s += hist[i] * i;
    printf("%d\n", s);
    Grid g = grid(9, 11), k = grid(9, 11);
    for (int j = 0; j < 11; j++) g.a[0][j] = k.a[0][j] = j;
    for (int t = 0; t < 6; t++) { relax(&k, &g); relax(&g, &k); }
    double r = 0;
    for (int i = 0; i < 99; i++) r += g.buf[i];
    printf("%.9f %.9f\n", r, g.a[3][3]);
    Matrix *a = matrix_new(6, 8), *b = matrix_new(8, 5), *c = matrix_new(6, 5);
    for (int i = 0; i < 48; i++) a->data[i] = i * 0.25;
    for (int i = 0; i < 8; i++) for (int j = 0; j < 5; j++) b->row[i][j] = i - j;
    mul(a, b, c);
    double t = 0;
    for (int i = 0; i < 30; i++) t += c->data[i] * i;
    printf("%f %f\n", t, c->row[2][3]);
    matrix_free(a); matrix_free(b); matrix_free(c);
    free(im.line); free(im.pix); free(g.a); free(g.buf); free(k.a); free(k.buf);
    return 0;
}
