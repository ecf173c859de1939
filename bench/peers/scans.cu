// The scans of `accrue-bench run --cells maps` by CUB: inclusive sums, and what a condition keeps.
// Prints the median time of nine runs by events, after one to warm up, data on the device.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <vector>

static void check(cudaError_t e) {
    if (e != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(e));
        exit(1);
    }
}

template <class F> void row(const char *work, double bytes, F run) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    std::vector<float> times;
    for (int i = 0; i < 10; i++) {
        check(cudaEventRecord(begin));
        run();
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float ms;
        check(cudaEventElapsedTime(&ms, begin, end));
        if (i) times.push_back(ms * 1e3f);
    }
    std::sort(times.begin(), times.end());
    float us = times[times.size() / 2];
    printf("%-28s %10.1f us  %6.0f GB/s\n", work, us, bytes / us / 1e3);
}

static uint32_t spread(uint32_t i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return i ^ (i >> 16);
}

template <class T> T *upload(const std::vector<T> &of) {
    T *to;
    check(cudaMalloc(&to, of.size() * sizeof(T)));
    check(cudaMemcpy(to, of.data(), of.size() * sizeof(T), cudaMemcpyHostToDevice));
    return to;
}

template <class T> void scan(const char *work, const std::vector<T> &of) {
    T *x = upload(of), *out;
    check(cudaMalloc(&out, of.size() * sizeof(T)));
    void *temporary = nullptr;
    size_t bytes = 0;
    check(cub::DeviceScan::InclusiveSum(temporary, bytes, x, out, of.size()));
    check(cudaMalloc(&temporary, bytes));
    row(work, 2.0 * of.size() * sizeof(T), [&] { check(cub::DeviceScan::InclusiveSum(temporary, bytes, x, out, of.size())); });
    check(cudaFree(x));
    check(cudaFree(out));
    check(cudaFree(temporary));
}

struct Below {
    uint32_t bound;
    __device__ bool operator()(uint32_t v) const { return v < bound; }
};

int main() {
    const size_t n = size_t(1) << 28;
    std::vector<uint32_t> words(n);
    for (size_t i = 0; i < n; i++) words[i] = spread(uint32_t(i));
    scan("scan u32", words);
    uint32_t *x = upload(words), *out;
    uint64_t *count;
    check(cudaMalloc(&out, n * 4));
    check(cudaMalloc(&count, 8));
    for (int percent : {1, 50, 99}) {
        Below below{uint32_t(uint64_t(UINT32_MAX) * percent / 100)};
        void *temporary = nullptr;
        size_t bytes = 0;
        check(cub::DeviceSelect::If(temporary, bytes, x, out, count, n, below));
        check(cudaMalloc(&temporary, bytes));
        size_t kept = std::count_if(words.begin(), words.end(), [&](uint32_t v) { return v < below.bound; });
        char work[32];
        snprintf(work, sizeof work, "keep %d %%", percent);
        row(work, 4.0 * (n + kept), [&] { check(cub::DeviceSelect::If(temporary, bytes, x, out, count, n, below)); });
        check(cudaFree(temporary));
    }
    check(cudaFree(x));
    check(cudaFree(out));
    std::vector<uint64_t> wide(n);
    for (size_t i = 0; i < n; i++) wide[i] = uint64_t(words[i]) << 20;
    scan("scan u64", wide);
    wide = {};
    std::vector<float> floats(n);
    for (size_t i = 0; i < n; i++) floats[i] = i % 64 == 0;
    scan("scan f32", floats);
}
