// The paper's two programs as peers, through OpenACC: the naive histogram (Figure 4) and the duplicated one (Figure 5)
// over several numbers of local histograms; README.md beside this says what is read and answered.
#include <openacc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS 5
#define PATIENCE 25000.0 /* microseconds */
#define GANGS 1024
#define VECTOR 256

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void naive(const uint32_t *keys, size_t items, uint32_t *bins, int n) {
#pragma acc parallel loop gang vector vector_length(VECTOR) num_gangs(GANGS) present(keys[0:items], bins[0:n])
    for (size_t i = 0; i < items; i++) {
#pragma acc atomic update
        bins[keys[i]]++;
    }
}

static void duplicated(const uint32_t *keys, size_t items, uint32_t *bins, int n, uint32_t *locals, int num_locals) {
#pragma acc parallel loop gang vector vector_length(VECTOR) present(locals[0:(size_t)n * num_locals])
    for (size_t i = 0; i < (size_t)n * num_locals; i++) locals[i] = 0;
#pragma acc parallel num_gangs(GANGS) vector_length(VECTOR) present(keys[0:items], locals[0:(size_t)n * num_locals])
    {
#pragma acc loop gang
        for (int gang = 0; gang < GANGS; gang++) {
            size_t begin = items * gang / GANGS, end = items * (gang + 1) / GANGS;
            size_t copy = (size_t)(gang % num_locals) * n;
#pragma acc loop vector
            for (size_t i = begin; i < end; i++) {
#pragma acc atomic update
                locals[copy + keys[i]]++;
            }
        }
    }
#pragma acc parallel loop gang vector vector_length(VECTOR) present(bins[0:n], locals[0:(size_t)n * num_locals])
    for (int b = 0; b < n; b++) {
        uint32_t sum = 0;
        for (int l = 0; l < num_locals; l++) sum += locals[(size_t)l * n + b];
        bins[b] += sum;
    }
}

/* Runs one of the programs on what is on the device; the median time in microseconds. */
static double timed(const uint32_t *keys, size_t items, uint32_t *bins, int n, uint32_t *locals, int num_locals) {
    double times[RUNS], total = 0;
    int runs = 0;
    for (int run = -1; run < RUNS && total < PATIENCE; run++) {
#pragma acc parallel loop gang vector present(bins[0:n])
        for (int b = 0; b < n; b++) bins[b] = 0;
        double begin = now();
        if (num_locals) duplicated(keys, items, bins, n, locals, num_locals);
        else naive(keys, items, bins, n);
        if (run >= 0) total += times[runs++] = now() - begin;
    }
    qsort(times, runs, sizeof *times, ascending);
    return times[runs / 2];
}

int main(void) {
    char path[4096], type[16], weight[4096], bin_type[16];
    unsigned long long block, repeats;
    int n;
    while (scanf("%4095s %15s %llu %llu %d %4095s %15s", path, type, &block, &repeats, &n, weight, bin_type) == 7) {
        if (strcmp(type, "u32") || strcmp(weight, "count") || strcmp(bin_type, "u32")) {
            printf("{\"peer\": \"openacc\", \"skip\": \"written for u32 keys and counts\"}\n{\"peer\": \"end\"}\n");
            fflush(stdout);
            continue;
        }
        size_t items = block * repeats;
        /* Host addresses for all keys; the block is read to their start and repeated on the device. */
        uint32_t *keys = malloc(items * 4), *bins = calloc(n, 4);
        FILE *file = fopen(path, "rb");
        if (!keys || !bins || !file || fread(keys, 4, block, file) != block) {
            fprintf(stderr, "openacc: cannot read %llu items of %s\n", block, path);
            return 1;
        }
        fclose(file);
#pragma acc enter data create(keys[0:items])
        for (size_t r = 0; r < repeats; r++)
            acc_memcpy_to_device((uint32_t *)acc_deviceptr(keys) + r * block, keys, block * 4);
#pragma acc data copy(bins[0:n])
        {
            double best = 1e300;
            /* More copies as long as they help: none, 2, 4, .. and one step beyond the best. */
            for (int num_locals = 0, worse = 0; num_locals <= 128 && worse < 2; num_locals += num_locals ? num_locals : 2) {
                if ((size_t)n * num_locals * 4 > (size_t)1 << 30) break;
                uint32_t *locals = malloc((size_t)n * (num_locals ? num_locals : 1) * 4);
                double us;
#pragma acc data create(locals[0:(size_t)n * (num_locals ? num_locals : 1)])
                us = timed(keys, items, bins, n, locals, num_locals);
                free(locals);
                worse = us < best ? 0 : worse + 1;
                best = us < best ? us : best;
#pragma acc update self(bins[0:n])
                double sum = 0, moment = 0;
                for (int b = 0; b < n; b++) sum += bins[b], moment += (double)b * bins[b];
                printf("{\"peer\": \"openacc l=%d\", \"us\": %.2f, \"sum\": %.0f, \"moment\": %.0f}\n", num_locals, us, sum,
                       moment);
            }
        }
#pragma acc exit data delete(keys[0:items])
        printf("{\"peer\": \"end\"}\n");
        fflush(stdout);
        free(keys);
        free(bins);
    }
    return 0;
}
