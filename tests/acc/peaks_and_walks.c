#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

typedef float (*window_fn)(int, int);
static float hann(int i, int n) { return 0.5f * (1 - cosf(2 * (float)M_PI * i / (n - 1))); }
static float rect(int i, int n) { (void)i; (void)n; return 1.0f; }

static void fir(const float *x, float *y, int n, const float *taps, int nt)
{
#pragma acc parallel loop copyin(x[0:n], taps[0:nt]) copyout(y[0:n])
    for (int i = 0; i < n; i++) {
        float acc = 0;
        const float *t = taps;
        for (int k = 0; k < nt && k <= i; k++) acc += *t++ * x[i - k];
        y[i] = acc;
    }
}

static void reverse(float *p, int n)
{
    float *q = p + n - 1;
    while (p < q) {
        float t = *p;
        *p++ = *q;
        *q-- = t;
    }
}

static float *find_peak(float *p, int n)
{
    float *best = p;
    for (float *q = p + 1; q < p + n; q++)
        if (*q > *best) best = q;
    return best;
}

static int runs(const float *p, const float *end, float level)
{
    int count = 0;
    while (p != end) {
        while (p != end && *p <= level) ++p;
        if (p == end) break;
        count++;
        while (p != end && *p > level) ++p;
    }
    return count;
}

static void copy_strided(float *dst, int ds, const float *src, int ss, int n)
{
    while (n--) {
        *dst = *src;
        dst += ds;
        src += ss;
    }
}

static void minmax(const float *p, int n, float *lo, float *hi)
{
    *lo = *hi = *p;
    for (const float *e = p + n; p < e; ++p) {
        if (*p < *lo) *lo = *p;
        if (*p > *hi) *hi = *p;
    }
}

int main(void)
{
    enum { N = 400, NT = 21 };
    float *x = malloc(N * sizeof(float)), *y = malloc(N * sizeof(float)), *z = malloc(N / 2 * sizeof(float)), taps[NT];
    window_fn windows[] = { hann, rect };
    const char *names[] = { "hann", "rect" };
    for (int i = 0; i < N; i++) x[i] = sinf(0.05f * i) + 0.3f * sinf(1.3f * i) + (i == 200 ? 2.0f : 0.0f);
    for (int w = 0; w < 2; w++) {
        float sum = 0, lo, hi;
        for (int i = 0; i < NT; i++) sum += taps[i] = windows[w](i, NT);
        for (float *t = taps; t < taps + NT; t++) *t /= sum;
        fir(x, y, N, taps, NT);
        minmax(y, N, &lo, &hi);
        float *peak = find_peak(y, N);
        printf("%s: %.5f..%.5f peak at %ld, %d runs\n", names[w], lo, hi, (long)(peak - y), runs(y, y + N, 0.5f));
        copy_strided(z, 1, y, 2, N / 2);
        reverse(z, N / 2);
        printf("  %.5f %.5f\n", z[0], z[N / 2 - 1]);
    }
    free(x);
    free(y);
    free(z);
    return 0;
}
