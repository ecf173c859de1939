// Histograms through OpenMP's array reduction, as a C programmer writes them; README.md beside this says what is read and
// answered. One timed run a job: `accrue-bench run --device cpu` asks once for each of its own samples, so that all take
// turns.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static void count_u8(const uint8_t *keys, size_t items, uint32_t *bins, int n) {
#pragma omp parallel for reduction(+ : bins[:n])
    for (size_t i = 0; i < items; i++) bins[keys[i]]++;
}

static void count_u32(const uint32_t *keys, size_t items, uint32_t *bins, int n) {
#pragma omp parallel for reduction(+ : bins[:n])
    for (size_t i = 0; i < items; i++) bins[keys[i]]++;
}

static void weigh(const uint32_t *keys, const double *weights, size_t items, double *bins, int n) {
#pragma omp parallel for reduction(+ : bins[:n])
    for (size_t i = 0; i < items; i++) bins[keys[i]] += weights[i];
}

static void joint(const uint8_t *a, const uint8_t *b, size_t items, uint64_t *bins, int n) {
#pragma omp parallel for reduction(+ : bins[:n])
    for (size_t i = 0; i < items; i++) bins[a[i] * 256 + b[i]]++;
}

// A file's bytes, in memory before anything is timed. The last file of each slot stays mapped for the next job.
static const void *bytes(const char *path, int slot) {
    static struct { char path[4096]; void *data; size_t size; } files[2];
    if (files[slot].data && !strcmp(files[slot].path, path)) return files[slot].data;
    if (files[slot].data) munmap(files[slot].data, files[slot].size);
    struct stat info;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &info)) return NULL;
    files[slot].size = info.st_size;
    files[slot].data = mmap(NULL, info.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    close(file);
    if (files[slot].data == MAP_FAILED) files[slot].data = NULL;
    snprintf(files[slot].path, sizeof files[slot].path, "%s", path);
    return files[slot].data;
}

int main(void) {
    char path[4096], type[16], weight[4096], bin_type[16];
    unsigned long long items, repeats;
    int n;
    while (scanf("%4095s %15s %llu %llu %d %4095s %15s", path, type, &items, &repeats, &n, weight, bin_type) == 7) {
        int plain = !strcmp(weight, "count"), u8 = !strcmp(type, "u8"), u32 = !strcmp(type, "u32");
        int counts = plain && (u8 || u32) && !strcmp(bin_type, "u32");
        int weighs = !plain && u32 && !strcmp(bin_type, "f64");
        int joins = !plain && u8 && !strcmp(bin_type, "u64");
        if (repeats != 1 || (!counts && !weighs && !joins)) {
            printf("{\"peer\": \"openmp\", \"skip\": \"not written for it\"}\n{\"peer\": \"end\"}\n");
            fflush(stdout);
            continue;
        }
        const void *keys = bytes(path, 0), *second = plain ? NULL : bytes(weight, 1);
        void *bins = calloc(n, 8);
        if (!keys || !bins || (!plain && !second)) {
            fprintf(stderr, "openmp: cannot read %s\n", path);
            return 1;
        }
        double begin = now();
        if (weighs) weigh(keys, second, items, bins, n);
        else if (joins) joint(keys, second, items, bins, n);
        else if (u8) count_u8(keys, items, bins, n);
        else count_u32(keys, items, bins, n);
        double us = now() - begin, sum = 0;
        for (int b = 0; b < n; b++)
            sum += weighs ? ((double *)bins)[b] : joins ? ((uint64_t *)bins)[b] : ((uint32_t *)bins)[b];
        printf("{\"peer\": \"openmp\", \"us\": %.2f, \"sum\": %.3f}\n{\"peer\": \"end\"}\n", us, sum);
        fflush(stdout);
        free(bins);
    }
    return 0;
}
