#include <stdio.h>
#include <stdlib.h>

/* Functions that get several positions in one array, which may overlap. */
typedef struct { double x, y, fx, fy; } body;
static void pair(body *a, body *b)
{
    double dx = a->x - b->x, dy = a->y - b->y;
    double d = dx * dx + dy * dy + 0.01;
    a->fx -= dx / d; a->fy -= dy / d;
    b->fx += dx / d; b->fy += dy / d;
}
static void shift_add(int *dst, const int *src, int n)
{
    for (int i = 0; i < n; i++) dst[i] += *src++;
}
static void cswap(int *a, int *b) { if (*a > *b) { int t = *a; *a = *b; *b = t; } }
static int partition(int *v, int lo, int hi)
{
    int p = v[hi], i = lo;
    for (int j = lo; j < hi; j++) if (v[j] < p) { cswap(&v[j], &v[i]); if (v[i] > v[j]) { int t = v[i]; v[i] = v[j]; v[j] = t; } i++; }
    return i;
}
static void count(const int *keys, int *hist, int n, int bins)
{
#pragma acc parallel loop copyin(keys[0:n]) copy(hist[0:bins])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        hist[keys[i] % bins]++;
    }
}
static int work[600];
static void merge(int *a, int na, int *b, int nb, int *out)
{
    int i = 0, j = 0, k = 0;
    while (i < na && j < nb) out[k++] = a[i] <= b[j] ? a[i++] : b[j++];
    while (i < na) out[k++] = a[i++];
    while (j < nb) out[k++] = b[j++];
}
void msort(int *a, int n, int *tmp)
{
    if (n < 2) return;
    int h = n / 2;
    msort(a, h, tmp);
    msort(a + h, n - h, tmp);
    merge(a, h, a + h, n - h, tmp);
    for (int i = 0; i < n; i++) a[i] = tmp[i];
}
void dot3(double *r, const double *p, const double *q) { r[0] = p[0] * q[0]; r[1] = p[1] * q[1]; r[2] = p[2] * q[2]; }
static void layer(const float *in, float *out, int n, int m, const float *w)
{
    for (int j = 0; j < m; j++) {
        float s = 0;
        for (int i = 0; i < n; i++) s += in[i] * w[j * n + i];
        out[j] = s > 0 ? s : 0;
    }
}
int main(void)
{
    int n = 20;
    body *b = calloc(n, sizeof *b);
    for (int i = 0; i < n; i++) { b[i].x = i % 5; b[i].y = i / 5.0; }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) pair(&b[i], &b[j]);
    double s = 0;
    for (int i = 0; i < n; i++) s += b[i].fx * i + b[i].fy;
    int v[64];
    for (int i = 0; i < 64; i++) v[i] = (i * 29) % 67;
    int k = 3;
    shift_add(v + k, v, 60);
    shift_add(v, v + k, 60);
    printf("%f %d %d %d\n", s, v[10], v[63], partition(v, 0, 63));
    int half = 300;
    for (int i = 0; i < half; i++) work[i] = (i * 7) % 100;
    count(work, work + half, half, 100);
    count(work + 1, &work[half + 100], 200, 100);
    int c = 0;
    for (int i = 0; i < 100; i++) c += work[half + i] * i + work[half + 100 + i];
    printf("%d\n", c);
    int sizes[3] = {4, 6, 2}, off[3] = {0, 4, 10};
    float act[12] = {1, 0.5f, -2, 3}, w[36];
    for (int i = 0; i < 36; i++) w[i] = ((i * 13) % 7 - 3) * 0.25f;
    for (int l = 0; l < 2; l++) layer(act + off[l], act + off[l + 1], sizes[l], sizes[l + 1], w);
    printf("%f %f\n", act[10], act[11]);
    double *buf = malloc(64 * sizeof(double));
    for (int i = 0; i < 64; i++) buf[i] = i * 0.5;
    int cur = 0;
    for (int t = 0; t < 5; t++) {
        double *old = buf + cur * 32;
        double *fresh = buf + (1 - cur) * 32;
        dot3(fresh + t, old + t, old + 3 + t);
        cur = 1 - cur;
    }
    int tmp[64];
    msort(v, 64, tmp);
    printf("%f %f %d %d\n", buf[3], buf[36], v[0], v[63]);
    free(buf);
    free(b);
    return 0;
}
