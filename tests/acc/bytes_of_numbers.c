#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>

/* Numbers whose bytes are read by functions of bytes. */
static unsigned long fnv(const void *data, size_t len)
{
    const unsigned char *p = (const unsigned char *)data;
    unsigned long h = 1469598103934665603UL;
    for (size_t i = 0; i < len; i++) { h ^= p[i]; h *= 1099511628211UL; }
    return h;
}
static uint32_t adler(const uint8_t *data, size_t len)
{
    uint32_t a = 1, b = 0;
    while (len--) { a = (a + *data++) % 65521; b = (b + a) % 65521; }
    return (b << 16) | a;
}
typedef struct { float *x; int n; } S;
int main(void)
{
    double *x = malloc(100 * sizeof(double));
    int k[10];
    S s;
    s.n = 12;
    s.x = malloc(12 * sizeof(float));
    for (int i = 0; i < 12; i++) s.x[i] = i * 0.1f;
    for (int i = 0; i < 100; i++) x[i] = i * 0.5;
    for (int i = 0; i < 10; i++) k[i] = i;
    int one = 17; const char *t = "hello";
    printf("%lu %lu %lu %lu %lu\n", fnv(x, 100 * sizeof(double)), fnv(k, sizeof k), fnv(&one, sizeof one), fnv(s.x, s.n * sizeof(float)), fnv(t, 5));
    printf("%u %u\n", adler((const uint8_t *)x, 800), adler((uint8_t *)k, sizeof(k)));
    free(x); free(s.x);
    return 0;
}
