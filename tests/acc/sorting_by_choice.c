#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

#define SWAP(T, a, b) do { T _t = (a); (a) = (b); (b) = _t; } while (0)
#define STACK_MAX 64

typedef struct stack { int lo[STACK_MAX], hi[STACK_MAX]; int top; } stack_s;

static void push(stack_s *s, int lo, int hi) { assert(s->top < STACK_MAX); s->lo[s->top] = lo; s->hi[s->top++] = hi; }
static int pop(stack_s *s, int *lo, int *hi)
{
    if (s->top == 0) return 0;
    --s->top;
    *lo = s->lo[s->top];
    *hi = s->hi[s->top];
    return 1;
}

static void quicksort(int *a, int n)
{
    stack_s s = { .top = 0 };
    int lo, hi;
    push(&s, 0, n - 1);
    while (pop(&s, &lo, &hi)) {
        while (lo < hi) {
            int pivot = a[lo + (hi - lo) / 2], i = lo, j = hi;
            while (i <= j) {
                while (a[i] < pivot) i++;
                while (a[j] > pivot) j--;
                if (i <= j) { SWAP(int, a[i], a[j]); i++; j--; }
            }
            if (j - lo < hi - i) { if (lo < j) push(&s, lo, j); lo = i; }
            else { if (i < hi) push(&s, i, hi); hi = j; }
        }
    }
}

static void odd_even(int *restrict a, int n)
{
    int sorted = 0;
    #pragma acc data copy(a[0:n])
    while (!sorted) {
        sorted = 1;
        for (int phase = 0; phase < 2; phase++) {
            #pragma acc parallel loop reduction(&&:sorted)
            for (int i = phase; i < n - 1; i += 2)
                if (a[i] > a[i + 1]) {
                    int t = a[i];
                    a[i] = a[i + 1];
                    a[i + 1] = t;
                    sorted = 0;
                }
        }
    }
}

static void bitonic(int *a, int n)
{
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            #pragma acc parallel loop copy(a[0:n])
            for (int i = 0; i < n; i++) {
                int l = i ^ j;
                if (l > i)
                    if (((i & k) == 0 && a[i] > a[l]) || ((i & k) != 0 && a[i] < a[l]))
                        SWAP(int, a[i], a[l]);
            }
        }
}

static int cmp(const void *x, const void *y)
{
    const int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

int main(void)
{
    enum { N = 1 << 9 };
    int *data = malloc(N * sizeof *data), *want = malloc(N * sizeof *want), *work = malloc(N * sizeof *work);
    srand(11);
    for (int i = 0; i < N; i++) data[i] = rand() % 1000;
    memcpy(want, data, N * sizeof *data);
    qsort(want, N, sizeof(int), cmp);
    struct { const char *name; void (*sort)(int *, int); } algorithms[] = {
        { "quicksort", quicksort }, { "odd-even", odd_even }, { "bitonic", bitonic },
    };
    for (unsigned k = 0; k < sizeof algorithms / sizeof *algorithms; k++) {
        memcpy(work, data, N * sizeof *data);
        algorithms[k].sort(work, N);
        printf("%-10s %s\n", algorithms[k].name, memcmp(work, want, N * sizeof *want) == 0 ? "ok" : "WRONG");
    }
    free(data); free(want); free(work);
    return 0;
}
