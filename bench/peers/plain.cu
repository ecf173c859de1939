// The loops of `accrue-bench run --cells maps` as plain kernels, a thread for each element: what people write first.
// Prints the median time of nine runs by events, after one to warm up, data on the device.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void transpose(int w, int h, const float *__restrict__ x, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < w && y < h) out[i * h + y] = x[y * w + i];
}

__global__ void five_points(int w, int h, const float *__restrict__ x, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i < w - 1 && y < h - 1) {
        int at = y * w + i;
        out[at] = 0.2f * (x[at] + x[at - 1] + x[at + 1] + x[at - w] + x[at + w]);
    }
}

__global__ void convolve(int w, int h, const float *__restrict__ k, const float *__restrict__ x, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 3, y = blockIdx.y * blockDim.y + threadIdx.y + 3;
    if (i < w - 3 && y < h - 3) {
        float sum = 0;
        for (int dy = 0; dy < 7; dy++)
            for (int dx = 0; dx < 7; dx++) sum += k[dy * 7 + dx] * x[(y + dy - 3) * w + i + dx - 3];
        out[y * w + i] = sum;
    }
}

__global__ void nine_bytes(int w, int h, const unsigned char *__restrict__ x, unsigned char *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i < w - 1 && y < h - 1) {
        unsigned sum = 0;
        for (int dy = 0; dy < 3; dy++)
            for (int dx = 0; dx < 3; dx++) sum += x[(y + dy - 1) * w + i + dx - 1];
        out[y * w + i] = sum / 9;
    }
}

__global__ void seven_points(int n, const float *__restrict__ x, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1, z = blockIdx.z + 1;
    if (i < n - 1 && y < n - 1) {
        int at = (z * n + y) * n + i;
        float across = x[at - 1] + x[at + 1] + x[at - n] + x[at + n];
        out[at] = 0.4f * x[at] + 0.1f * (across + x[at - n * n] + x[at + n * n]);
    }
}

__global__ void product(int n, const float *__restrict__ a, const float *__restrict__ b, float *c) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        float sum = 0;
        for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] = sum;
    }
}

__global__ void by_rows(int n, const float *__restrict__ a, const float *__restrict__ x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < n; j++) sum += a[(size_t)i * n + j] * x[j];
        y[i] = sum;
    }
}

__global__ void by_columns(int n, const float *__restrict__ a, const float *__restrict__ x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < n; j++) sum += a[(size_t)j * n + i] * x[j];
        y[i] = sum;
    }
}

__global__ void mandelbrot(int w, int h, unsigned *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        float cr = (float)x / w * 3.0f - 2.0f, ci = (float)y / h * 2.0f - 1.0f, zr = 0, zi = 0;
        unsigned n = 0;
        while (n < 256 && zr * zr + zi * zi <= 4.0f) {
            float t = zr * zr - zi * zi + cr;
            zi = 2.0f * zr * zi + ci;
            zr = t;
            n++;
        }
        out[y * w + x] = n;
    }
}

__global__ void bodies(int n, const float4 *__restrict__ at, float *force) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float fx = 0, fy = 0, fz = 0;
        float4 own = at[i];
        for (int j = 0; j < n; j++) {
            float4 p = at[j];
            float dx = p.x - own.x, dy = p.y - own.y, dz = p.z - own.z;
            float d = dx * dx + dy * dy + dz * dz + 0.01f;
            float s = p.w / (d * sqrtf(d));
            fx += dx * s;
            fy += dy * s;
            fz += dz * s;
        }
        force[3 * i] = fx;
        force[3 * i + 1] = fy;
        force[3 * i + 2] = fz;
    }
}

template <class Kernel> void row(const char *work, double amount, const char *unit, Kernel kernel) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    kernel();
    std::vector<float> times;
    for (int run = 0; run < 9; run++) {
        cudaEventRecord(begin);
        kernel();
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        float ms;
        cudaEventElapsedTime(&ms, begin, end);
        times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    double us = times[times.size() / 2] * 1e3;
    printf("%-28s %10.1f us %10.2f %s\n", work, us, amount / us / 1e3, unit);
}

int main() {
    size_t words = size_t(1) << 28;
    float *x, *y, *out;
    for (float **of : {&x, &y, &out}) {
        if (cudaMalloc(of, words * 4) != cudaSuccess) return fprintf(stderr, "no memory\n"), 1;
        cudaMemset(*of, 0, words * 4);
    }
    int side = 8192, n = 2048, rows = 16384;
    double plane = double(side) * side;
    dim3 block(32, 8), grid(side / 32, side / 8);
    row("transpose f32", 8 * plane, "GB/s", [&] { transpose<<<grid, block>>>(side, side, x, out); });
    row("5 points f32", 8 * plane, "GB/s", [&] { five_points<<<grid, block>>>(side, side, x, out); });
    row("7 x 7 convolution f32", 98 * plane / 1e3, "Tflop/s", [&] { convolve<<<grid, block>>>(side, side, y, x, out); });
    row("3 x 3 u8", 2 * plane, "GB/s",
        [&] { nine_bytes<<<grid, block>>>(side, side, (unsigned char *)x, (unsigned char *)out); });
    row("7 points f32", 8.0 * 512 * 512 * 512, "GB/s", [&] { seven_points<<<dim3(16, 64, 510), block>>>(512, x, out); });
    row("product f32", 2.0 * n * n * n / 1e3, "Tflop/s", [&] { product<<<dim3(n / 32, n / 8), block>>>(n, x, y, out); });
    row("matrix, vector, by rows", 4.0 * rows * rows, "GB/s", [&] { by_rows<<<rows / 128, 128>>>(rows, x, y, out); });
    row("matrix, vector, by columns", 4.0 * rows * rows, "GB/s", [&] { by_columns<<<rows / 128, 128>>>(rows, x, y, out); });
    row("mandelbrot", 16.0 * 1024 * 1024, "10^9 points/s", [&] { mandelbrot<<<dim3(128, 512), block>>>(4096, 4096, (unsigned *)out); });
    row("n-body f32", 20.0 * 65536 * 65536 / 1e3, "Tflop/s", [&] { bodies<<<65536 / 128, 128>>>(65536, (float4 *)x, out); });
    return cudaDeviceSynchronize() != cudaSuccess;
}
