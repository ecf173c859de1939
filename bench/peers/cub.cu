// CUB's DeviceHistogram as a peer; README.md beside this says what is read and answered.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cub/device/device_histogram.cuh>
#include <cuda_runtime.h>

static const size_t RUNS = 5;
static const float PATIENCE = 25; // milliseconds

static void check(cudaError_t error, const char *what) {
    if (error != cudaSuccess) {
        fprintf(stderr, "cub: %s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

template <class Key, class Count>
static void measure(const std::vector<char> &block, size_t repeats, int bins) {
    size_t items = block.size() / sizeof(Key) * repeats;
    Key *keys;
    Count *counts;
    void *scratch = nullptr;
    size_t scratch_bytes = 0;
    check(cudaMalloc(&keys, items * sizeof(Key)), "keys");
    check(cudaMalloc(&counts, bins * sizeof(Count)), "counts");
    for (size_t r = 0; r < repeats; r++)
        check(cudaMemcpy((char *)keys + r * block.size(), r ? (const char *)keys : block.data(), block.size(),
                         cudaMemcpyDefault), "copy");
    auto run = [&] {
        return cub::DeviceHistogram::HistogramEven(scratch, scratch_bytes, keys, counts, bins + 1, 0LL,
                                                   (long long)bins, (long long)items);
    };
    check(run(), "size");
    check(cudaMalloc(&scratch, scratch_bytes), "scratch");
    check(run(), "warm-up");
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    std::vector<float> times;
    for (float total = 0; times.size() < RUNS && total < PATIENCE; total += times.back()) {
        cudaEventRecord(begin);
        check(run(), "run");
        cudaEventRecord(end);
        check(cudaEventSynchronize(end), "run");
        float ms;
        cudaEventElapsedTime(&ms, begin, end);
        times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    std::vector<Count> host(bins);
    check(cudaMemcpy(host.data(), counts, bins * sizeof(Count), cudaMemcpyDeviceToHost), "copy back");
    double sum = 0, moment = 0;
    for (int b = 0; b < bins; b++) sum += (double)host[b], moment += (double)b * (double)host[b];
    printf("{\"peer\": \"cub\", \"us\": %.2f, \"sum\": %.0f, \"moment\": %.0f}\n", times[times.size() / 2] * 1000.0,
           sum, moment);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaFree(scratch);
    cudaFree(counts);
    cudaFree(keys);
}

template <class Key>
static void measure_bins(const std::string &bin_type, const std::vector<char> &block, size_t repeats, int bins) {
    if (bin_type == "u32") measure<Key, unsigned int>(block, repeats, bins);
    else if (bin_type == "u64") measure<Key, unsigned long long>(block, repeats, bins);
    else printf("{\"peer\": \"cub\", \"skip\": \"CUB counts in integers only\"}\n");
}

int main() {
    char path[4096], type[16], weight[4096], bin_type[16];
    unsigned long long items, repeats;
    int bins;
    while (scanf("%4095s %15s %llu %llu %d %4095s %15s", path, type, &items, &repeats, &bins, weight, bin_type) == 7) {
        size_t width = !strcmp(type, "u8") ? 1 : !strcmp(type, "u16") ? 2 : !strcmp(type, "u32") ? 4 : 8;
        if (strcmp(weight, "count")) {
            printf("{\"peer\": \"cub\", \"skip\": \"CUB has no weighted histogram\"}\n");
        } else {
            std::vector<char> block(items * width);
            FILE *file = fopen(path, "rb");
            if (!file || fread(block.data(), width, items, file) != items) {
                fprintf(stderr, "cub: cannot read %llu items of %s\n", items, path);
                return 1;
            }
            fclose(file);
            if (width == 1) measure_bins<unsigned char>(bin_type, block, repeats, bins);
            else if (width == 2) measure_bins<unsigned short>(bin_type, block, repeats, bins);
            else if (width == 4) measure_bins<unsigned int>(bin_type, block, repeats, bins);
            else measure_bins<unsigned long long>(bin_type, block, repeats, bins);
        }
        printf("{\"peer\": \"end\"}\n");
        fflush(stdout);
    }
    return 0;
}
