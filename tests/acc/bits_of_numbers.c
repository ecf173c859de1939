#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <stdlib.h>

/* The bits of numbers: through casts, memcpy, unions of numbers, and pointers that see an array as another. */
static uint32_t bits_of(float f) { uint32_t u; memcpy(&u, &f, sizeof u); return u; }
static float from_bits(uint32_t u) { float f; memcpy(&f, &u, 4); return f; }
static float q_rsqrt(float number)
{
    long i; float x2 = number * 0.5f, y = number;
    int j = *(int *)&y;
    i = 0x5f3759df - (j >> 1);
    j = (int)i;
    y = *(float *)&j;
    y = y * (1.5f - x2 * y * y);
    return y;
}
union fi { float f; uint32_t u; };
static int exponent(float x) { union fi v; v.f = x; return (int)((v.u >> 23) & 0xff) - 127; }
typedef union { uint32_t u; unsigned char b[4]; float f; } word;
typedef struct { int tag; union { int i; double d; float f; char c; } v; } value;
static value make_int(int i) { value x; x.tag = 0; x.v.i = i; return x; }
static value make_double(double d) { value x = { .tag = 1 }; x.v.d = d; return x; }
static double as_double(const value *x) { return x->tag == 0 ? x->v.i : x->v.d; }
static uint32_t swap32(uint32_t x) { word w; w.u = x; return ((uint32_t)w.b[0] << 24) | (w.b[1] << 16) | (w.b[2] << 8) | w.b[3]; }
static float absf(float x) { uint32_t *p = (uint32_t *)&x; *p &= 0x7fffffffu; return x; }
static double fast_exp(double y) { union { double d; int64_t n; } u; u.n = (int64_t)(1512775 * y + 1072632447) << 32; return u.d; }
static int float_cmp_ulps(float a, float b) { int32_t ia, ib; memcpy(&ia, &a, sizeof(ia)); memcpy(&ib, &b, sizeof(ib)); return abs(ia - ib); }
static void radix_keys(const float *in, uint32_t *out, int n)
{
    const uint32_t *u = (const uint32_t *)in;
#pragma acc parallel loop copyin(in[0:n]) copyout(out[0:n])
    for (int i = 0; i < n; i++) out[i] = u[i] ^ (-(int)(u[i] >> 31) | 0x80000000u);
}
int main(void)
{
    value vs[4];
    vs[0] = make_int(-7); vs[1] = make_double(2.5); vs[2] = make_int(3); vs[3] = vs[1];
    vs[3].v.d *= 2; vs[2].v.i += 4; vs[0].v.c = 'x';
    double s = 0;
    for (int i = 0; i < 4; i++) s += as_double(&vs[i]);
    printf("%f %d\n", s, vs[0].v.i);
    word w = { .f = 1.0f }, z = { 7 };
    word tab[3] = {{1}, {2}};
    printf("%u %f %f %d\n", bits_of(0.1f), from_bits(0x40490fdb), q_rsqrt(2.0f), exponent(1000.0f));
    printf("%08x %u %u %u\n", w.u, z.b[0], swap32(0x01020304), tab[1].u + tab[2].u);
    w.f += 1.5f; w.u |= 1; w.u += 1;
    printf("%.9g %g %g %d\n", w.f, absf(-3.5f), fast_exp(1.0), float_cmp_ulps(1.0f, 1.0000005f));
    float x[5] = {1.5f, -2, 0, 3e10f, -1e-5f}; uint32_t k[5];
    radix_keys(x, k, 5);
    for (int i = 0; i < 5; i++) printf("%u ", k[i]);
    double d = -0.0; uint64_t bits; memcpy(&bits, &d, sizeof d);
    float big[4]; uint32_t one = 0x3f800000;
    for (int i = 0; i < 4; i++) { uint32_t t = one + i; memcpy(&big[i], &t, 4); }
    printf("%llx %.8f\n", (unsigned long long)bits, big[3]);
    return 0;
}
