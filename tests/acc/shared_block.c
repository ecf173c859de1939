#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Structs whose fields share one block of memory: held by a field, by a local first, exchanged, grown. */
typedef struct grid {
    int nx, ny;
    double *u, *unew, *rhs;
} grid;
static grid *grid_create(int nx, int ny)
{
    grid *g = malloc(sizeof *g);
    size_t n = (size_t)nx * ny;
    double *mem = calloc(3 * n, sizeof(double));
    if (!mem) { free(g); return NULL; }
    g->nx = nx;
    g->ny = ny;
    g->u = mem;
    g->unew = mem + n;
    g->rhs = g->unew + n;
    return g;
}
static void grid_free(grid *g) { free(g->u); free(g); }
static void sweep(const double *u, double *out, const double *rhs, int nx, int ny)
{
#pragma acc parallel loop collapse(2) copyin(u[0:nx*ny], rhs[0:nx*ny]) copy(out[0:nx*ny])
    for (int j = 1; j < ny - 1; j++)
        for (int i = 1; i < nx - 1; i++)
            out[j * nx + i] = 0.25 * (u[j * nx + i - 1] + u[j * nx + i + 1] + u[(j - 1) * nx + i] + u[(j + 1) * nx + i] - rhs[j * nx + i]);
}
typedef struct { double *store, *cur, *next; int n; } field_t;
static void field_alloc(field_t *f, int n)
{
    f->n = n;
    f->store = (double *)malloc(2 * n * sizeof(double));
    f->cur = &f->store[0];
    f->next = &f->store[n];
    memset(f->store, 0, 2 * n * sizeof(double));
}
static void field_swap(field_t *f)
{
    double *tmp = f->cur;
    f->cur = f->next;
    f->next = tmp;
}
static void advance(field_t *f)
{
    for (int i = 1; i < f->n - 1; i++)
        f->next[i] = 0.5 * f->cur[i] + 0.25 * (f->cur[i - 1] + f->cur[i + 1]);
    f->next[0] = f->cur[0];
    f->next[f->n - 1] = f->cur[f->n - 1];
    field_swap(f);
}
typedef struct { int n, cap; float *mem, *w, *g; } Layer;
static void grow(Layer *l, int cap)
{
    float *mem = malloc(2 * cap * sizeof(float));
    for (int i = 0; i < l->n; i++) { mem[i] = l->w[i]; mem[cap + i] = l->g[i]; }
    free(l->mem);
    l->mem = mem;
    l->w = mem;
    l->g = mem + cap;
    l->cap = cap;
}
static void push(Layer *l, float w)
{
    if (l->n == l->cap) grow(l, l->cap ? 2 * l->cap : 4);
    l->w[l->n] = w;
    l->g[l->n] = -w;
    l->n++;
}
static float layer_total(const Layer *l) { float s = 0; for (int i = 0; i < l->n; i++) s += l->w[i] * 2 + l->g[i]; return s; }
/* Globals that point into one block. */
static double *block, *left, *right;
int main(void)
{
    grid *g = grid_create(16, 12);
    if (g == NULL) return 1;
    for (int k = 0; k < 16 * 12; k++) g->rhs[k] = 0.001 * (k % 13);
    for (int i = 0; i < 16; i++) g->u[i] = g->unew[i] = 1.0;
    for (int it = 0; it < 10; it++) {
        sweep(g->u, g->unew, g->rhs, g->nx, g->ny);
        sweep(g->unew, g->u, g->rhs, g->nx, g->ny);
    }
    double s = 0;
    for (int k = 0; k < 16 * 12; k++) s += g->u[k] * (k % 7);
    printf("%.12f\n", s);
    grid_free(g);
    field_t a, b;
    field_alloc(&a, 50);
    field_alloc(&b, 50);
    a.cur[25] = 100;
    b.cur[0] = 1;
    for (int t = 0; t < 33; t++) { advance(&a); advance(&b); }
    memcpy(b.next, a.cur, a.n * sizeof(double));
    double t = 0;
    for (int i = 0; i < 50; i++) t += a.cur[i] * i + b.cur[i] + b.next[i];
    printf("%.10f\n", t);
    free(a.store); free(b.store);
    Layer ls[3] = {{0}};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 10 * (k + 1); i++) push(&ls[k], i * 0.5f + k);
    ls[1].w[2] = ls[1].g[3] + ls[2].w[1];
    for (int k = 0; k < 3; k++) printf("%f %d\n", layer_total(&ls[k]), ls[k].cap);
    for (int k = 0; k < 3; k++) free(ls[k].mem);
    block = malloc(20 * sizeof(double));
    left = block;
    right = block + 10;
    for (int i = 0; i < 10; i++) { left[i] = i; right[i] = left[i] * 2; }
    double sum = 0;
    for (int i = 0; i < 20; i++) sum += block[i] * i;
    printf("%f\n", sum);
    free(block);
    return 0;
}
