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

static void check(cudaError_t error, const char *what) {
    if (error != cudaSuccess) {
        fprintf(stderr, "cub: %s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

template <class Key, class Count>
static void measure(const std::vector<char> &bytes, size_t items, int bins) {
    Key *keys;
    Count *counts;
    void *scratch = nullptr;
    size_t scratch_bytes = 0;
    check(cudaMalloc(&keys, items * sizeof(Key)), "keys");
    check(cudaMalloc(&counts, bins * sizeof(Count)), "counts");
    check(cudaMemcpy(keys, bytes.data(), items * sizeof(Key), cudaMemcpyHostToDevice), "copy");
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
    for (int i = 0; i < 5; i++) {
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
    double sum = 0;
    for (Count c : host) sum += (double)c;
    printf("{\"peer\": \"cub\", \"us\": %.2f, \"sum\": %.0f}\n", times[2] * 1000.0, sum);
    cudaFree(scratch);
    cudaFree(counts);
    cudaFree(keys);
}

template <class Key>
static void measure_bins(const std::string &bin_type, const std::vector<char> &bytes, size_t items, int bins) {
    if (bin_type == "u32") measure<Key, unsigned int>(bytes, items, bins);
    else if (bin_type == "u64") measure<Key, unsigned long long>(bytes, items, bins);
    else printf("{\"peer\": \"cub\", \"skip\": \"CUB counts in integers only\"}\n");
}

int main() {
    char path[4096], type[16], weight[4096], bin_type[16];
    unsigned long long items;
    int bins;
    std::string loaded;
    std::vector<char> bytes;
    while (scanf("%4095s %15s %llu %d %4095s %15s", path, type, &items, &bins, weight, bin_type) == 6) {
        size_t width = !strcmp(type, "u8") ? 1 : !strcmp(type, "u16") ? 2 : !strcmp(type, "u32") ? 4 : 8;
        if (strcmp(weight, "count")) {
            printf("{\"peer\": \"cub\", \"skip\": \"CUB has no weighted histogram\"}\n");
        } else {
            if (loaded != path || bytes.size() != items * width) {
                bytes.resize(items * width);
                FILE *file = fopen(path, "rb");
                if (!file || fread(bytes.data(), width, items, file) != items) {
                    fprintf(stderr, "cub: cannot read %llu items of %s\n", items, path);
                    return 1;
                }
                fclose(file);
                loaded = path;
            }
            if (width == 1) measure_bins<unsigned char>(bin_type, bytes, items, bins);
            else if (width == 2) measure_bins<unsigned short>(bin_type, bytes, items, bins);
            else if (width == 4) measure_bins<unsigned int>(bin_type, bytes, items, bins);
            else measure_bins<unsigned long long>(bin_type, bytes, items, bins);
        }
        printf("{\"peer\": \"end\"}\n");
        fflush(stdout);
    }
    return 0;
}
