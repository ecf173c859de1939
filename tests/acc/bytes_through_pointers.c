/* The bytes of numbers, read through local pointers. */
#include <stdio.h>
#include <stdlib.h>
static unsigned checksum(const void *data, size_t len)
{
    const unsigned char *p = (const unsigned char *)data;
    unsigned h = 2166136261u;
    for (size_t i = 0; i < len; i++) { h ^= p[i]; h *= 16777619u; }
    return h;
}
static unsigned hash_doubles(const double *x, int n)
{
    const unsigned char *p = (const unsigned char *)x;
    unsigned h = 5381;
    for (size_t i = 0; i < n * sizeof(double); i++) h = h * 33 + p[i];
    return h;
}
int main(void)
{
    double x = 3.25;
    unsigned char *p = (unsigned char *)&x;
    for (int i = 0; i < 8; i++) printf("%02x", p[i]);
    printf("\n");
    int k = 1;
    char *c = (char *)&k;
    printf("%s\n", *c ? "little" : "big");
    double a[5] = {1, 2, 3, 4, 5.5};
    int b[4] = {1, 2, 3, 4};
    printf("%u %u %u\n", checksum(a, sizeof a), hash_doubles(a, 5), checksum(b, sizeof b));
    const unsigned char *q = (const unsigned char *)a;
    unsigned s = 0;
    for (size_t i = 0; i < sizeof a; i++) s = (s << 1 | s >> 31) ^ q[i];
    printf("%08x\n", s);
    return 0;
}
