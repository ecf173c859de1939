// The loops of `accrue-bench run --device cpu --cells works` as C programmers write them for all cores, one function each; README.md beside this says how
// they are called.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <omp.h>

#define WORK(name) void name(const size_t *n, const void *const *in, void *result)
#define IN(type, name, k) const type *restrict name = in[k]
#define OUT(type, name) type *restrict name = result

WORK(copy) {
    IN(float, x, 0); OUT(float, out);
#pragma omp parallel for
    for (size_t i = 0; i < n[0]; i++) out[i] = x[i];
}

WORK(triad) {
    IN(float, a, 0); IN(float, b, 1); OUT(float, out);
#pragma omp parallel for
    for (size_t i = 0; i < n[0]; i++) out[i] = a[i] + 3.0f * b[i];
}

WORK(widen) {
    IN(uint8_t, x, 0); OUT(float, out);
#pragma omp parallel for
    for (size_t i = 0; i < n[0]; i++) out[i] = x[i];
}

WORK(grey) {
    IN(uint8_t, rgb, 0); OUT(uint8_t, out);
#pragma omp parallel for
    for (size_t i = 0; i < n[0]; i++) out[i] = (77u * rgb[3 * i] + 150u * rgb[3 * i + 1] + 29u * rgb[3 * i + 2]) >> 8;
}

WORK(look_up) {
    IN(uint8_t, table, 0); OUT(uint8_t, out);
#pragma omp parallel for
    for (size_t i = 0; i < n[0]; i++) out[i] = table[out[i]];
}

WORK(gather) {
    IN(uint32_t, at, 0); IN(float, x, 1); OUT(float, out);
#pragma omp parallel for
    for (size_t i = 0; i < n[0]; i++) out[i] = x[at[i]];
}

WORK(scatter) {
    IN(uint32_t, at, 0); IN(float, x, 1); OUT(float, out);
#pragma omp parallel for
    for (size_t i = 0; i < n[0]; i++) out[at[i]] = x[i];
}

WORK(transpose) {
    IN(float, x, 0); OUT(float, out);
    size_t w = n[0], h = n[1];
#pragma omp parallel for
    for (size_t y = 0; y < h; y++)
        for (size_t i = 0; i < w; i++) out[i * h + y] = x[y * w + i];
}

WORK(five_points) {
    IN(float, x, 0); OUT(float, out);
    size_t w = n[0], h = n[1];
#pragma omp parallel for
    for (size_t y = 1; y < h - 1; y++)
        for (size_t i = 1; i < w - 1; i++) {
            size_t at = y * w + i;
            out[at] = 0.2f * (x[at] + x[at - 1] + x[at + 1] + x[at - w] + x[at + w]);
        }
}

WORK(nine_bytes) {
    IN(uint8_t, x, 0); OUT(uint8_t, out);
    size_t w = n[0], h = n[1];
#pragma omp parallel for
    for (size_t y = 1; y < h - 1; y++)
        for (size_t i = 1; i < w - 1; i++) {
            uint32_t sum = 0;
            for (size_t dy = 0; dy < 3; dy++)
                for (size_t dx = 0; dx < 3; dx++) sum += x[(y + dy - 1) * w + i + dx - 1];
            out[y * w + i] = sum / 9;
        }
}

WORK(laplacian) {
    IN(uint8_t, grey, 0); OUT(uint8_t, out);
    size_t w = n[0], h = n[1];
#pragma omp parallel for
    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++) {
            size_t left = x ? x - 1 : 0, right = x + 1 < w ? x + 1 : w - 1;
            size_t above = y ? y - 1 : 0, below = y + 1 < h ? y + 1 : h - 1;
            int around = grey[y * w + left] + grey[y * w + right] + grey[above * w + x] + grey[below * w + x];
            int difference = abs(around - 4 * grey[y * w + x]);
            out[y * w + x] = difference < 255 ? difference : 255;
        }
}

WORK(seven_points) {
    IN(float, x, 0); OUT(float, out);
    size_t e = n[0];
#pragma omp parallel for
    for (size_t z = 1; z < e - 1; z++)
        for (size_t y = 1; y < e - 1; y++)
            for (size_t i = 1; i < e - 1; i++) {
                size_t at = (z * e + y) * e + i;
                float across = x[at - 1] + x[at + 1] + x[at - e] + x[at + e];
                out[at] = 0.4f * x[at] + 0.1f * (across + x[at - e * e] + x[at + e * e]);
            }
}

static void convolved(const size_t *n, const float *restrict k, size_t side, const float *restrict x, float *restrict out) {
    size_t w = n[0], h = n[1], r = side / 2;
#pragma omp parallel for
    for (size_t y = r; y < h - r; y++)
        for (size_t i = r; i < w - r; i++) {
            float sum = 0;
            for (size_t dy = 0; dy < side; dy++)
                for (size_t dx = 0; dx < side; dx++) sum += k[dy * side + dx] * x[(y + dy - r) * w + i + dx - r];
            out[y * w + i] = sum;
        }
}

WORK(convolve) { convolved(n, in[0], 7, in[1], result); }
WORK(convolve_wide) { convolved(n, in[0], 15, in[1], result); }

WORK(product) {
    IN(float, a, 0); IN(float, b, 1); OUT(float, c);
    size_t e = n[0];
#pragma omp parallel for
    for (size_t i = 0; i < e; i++)
        for (size_t j = 0; j < e; j++) {
            float sum = 0;
            for (size_t k = 0; k < e; k++) sum += a[i * e + k] * b[k * e + j];
            c[i * e + j] = sum;
        }
}

WORK(product_in_place) {
    IN(float, a, 0); IN(float, b, 1); OUT(float, c);
    size_t e = n[0];
#pragma omp parallel for
    for (size_t i = 0; i < e; i++)
        for (size_t j = 0; j < e; j++)
            for (size_t k = 0; k < e; k++) c[i * e + j] += a[i * e + k] * b[k * e + j];
}

// The order in which C programmers write it who know their caches.
WORK(product_by_rows) {
    IN(float, a, 0); IN(float, b, 1); OUT(float, c);
    size_t e = n[0];
#pragma omp parallel for
    for (size_t i = 0; i < e; i++) {
        memset(c + i * e, 0, e * sizeof *c);
        for (size_t k = 0; k < e; k++)
            for (size_t j = 0; j < e; j++) c[i * e + j] += a[i * e + k] * b[k * e + j];
    }
}

WORK(by_rows) {
    IN(float, a, 0); IN(float, x, 1); OUT(float, y);
    size_t e = n[0];
#pragma omp parallel for
    for (size_t i = 0; i < e; i++) {
        float sum = 0;
        for (size_t j = 0; j < e; j++) sum += a[i * e + j] * x[j];
        y[i] = sum;
    }
}

WORK(by_columns) {
    IN(float, a, 0); IN(float, x, 1); OUT(float, y);
    size_t e = n[0];
#pragma omp parallel for
    for (size_t i = 0; i < e; i++) {
        float sum = 0;
        for (size_t j = 0; j < e; j++) sum += a[j * e + i] * x[j];
        y[i] = sum;
    }
}

WORK(mandelbrot) {
    OUT(uint32_t, out);
    size_t w = n[0], h = n[1];
#pragma omp parallel for schedule(dynamic, 8)
    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++) {
            float cr = (float)x / w * 3.0f - 2.0f, ci = (float)y / h * 2.0f - 1.0f, zr = 0, zi = 0;
            uint32_t steps = 0;
            while (steps < 256 && zr * zr + zi * zi <= 4.0f) {
                float t = zr * zr - zi * zi + cr;
                zi = 2.0f * zr * zi + ci;
                zr = t;
                steps++;
            }
            out[y * w + x] = steps;
        }
}

WORK(bodies) {
    const float (*at)[4] = in[0];
    float (*force)[3] = result;
#pragma omp parallel for
    for (size_t i = 0; i < n[0]; i++) {
        float fx = 0, fy = 0, fz = 0;
        for (size_t j = 0; j < n[0]; j++) {
            float dx = at[j][0] - at[i][0], dy = at[j][1] - at[i][1], dz = at[j][2] - at[i][2];
            float d = dx * dx + dy * dy + dz * dz + 0.01f, s = at[j][3] / (d * sqrtf(d));
            fx += dx * s;
            fy += dy * s;
            fz += dz * s;
        }
        force[i][0] = fx;
        force[i][1] = fy;
        force[i][2] = fz;
    }
}

WORK(options) {
    IN(float, stock, 0); IN(float, strike, 1); IN(float, years, 2); OUT(float, call);
#pragma omp parallel for
    for (size_t i = 0; i < n[0]; i++) {
        float root = sqrtf(years[i]);
        float d1 = (logf(stock[i] / strike[i]) + (0.02f + 0.5f * 0.3f * 0.3f) * years[i]) / (0.3f * root), d2 = d1 - 0.3f * root;
        float cnd[2], d[2] = {d1, d2};
        for (int k = 0; k < 2; k++) {
            float t = 1.0f / (1.0f + 0.2316419f * fabsf(d[k]));
            float tail = 0.39894228f * expf(-0.5f * d[k] * d[k]) * t
                * (0.31938153f + t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
            cnd[k] = d[k] > 0 ? 1.0f - tail : tail;
        }
        call[i] = stock[i] * cnd[0] - strike[i] * expf(-0.02f * years[i]) * cnd[1];
    }
}

#define SUM(name, type, total)                                                                                             \
    WORK(name) {                                                                                                           \
        IN(type, x, 0);                                                                                                    \
        total sum = 0;                                                                                                     \
        _Pragma("omp parallel for reduction(+ : sum)") for (size_t i = 0; i < n[0]; i++) sum += x[i];                      \
        *(total *)result = sum;                                                                                            \
    }
SUM(sum_f32, float, float)
SUM(sum_f64, double, double)
SUM(sum_u32, uint32_t, uint32_t)
SUM(sum_u8, uint8_t, uint64_t)

WORK(dot) {
    IN(float, x, 0); IN(float, y, 1);
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (size_t i = 0; i < n[0]; i++) sum += x[i] * y[i];
    *(float *)result = sum;
}

WORK(least) {
    IN(float, x, 0);
    float least = INFINITY;
#pragma omp parallel for reduction(min : least)
    for (size_t i = 0; i < n[0]; i++) least = x[i] < least ? x[i] : least;
    *(float *)result = least;
}

#define FIRST_LEAST(name, type, most)                                                                                      \
    WORK(name) {                                                                                                           \
        IN(type, x, 0);                                                                                                    \
        type least = most;                                                                                                 \
        uint64_t first = 0;                                                                                                \
        _Pragma("omp parallel") {                                                                                          \
            type best = most;                                                                                              \
            uint64_t at = 0;                                                                                               \
            _Pragma("omp for nowait") for (size_t i = 0; i < n[0]; i++) if (x[i] < best) { best = x[i]; at = i; }          \
            _Pragma("omp critical") if (best < least || (best == least && at < first)) { least = best; first = at; }       \
        }                                                                                                                  \
        *(uint64_t *)result = first;                                                                                       \
    }
FIRST_LEAST(first_least_f32, float, INFINITY)
FIRST_LEAST(first_least_u8, uint8_t, 255)

// Two passes: each thread sums its part, and then goes over it again from what came before.
#define SCAN(name, type)                                                                                                   \
    WORK(name) {                                                                                                           \
        IN(type, x, 0); OUT(type, out);                                                                                    \
        type before[omp_get_max_threads() + 1];                                                                            \
        before[0] = 0;                                                                                                     \
        _Pragma("omp parallel") {                                                                                          \
            size_t k = omp_get_thread_num(), all = omp_get_num_threads(), from = n[0] * k / all, to = n[0] * (k + 1) / all; \
            type sum = 0;                                                                                                  \
            for (size_t i = from; i < to; i++) sum += x[i];                                                                \
            before[k + 1] = sum;                                                                                           \
            _Pragma("omp barrier") for (size_t j = sum = 0; j <= k; j++) sum += before[j];                                 \
            for (size_t i = from; i < to; i++) out[i] = sum += x[i];                                                       \
        }                                                                                                                  \
    }
SCAN(scan_u32, uint32_t)
SCAN(scan_u64, uint64_t)
SCAN(scan_f32, float)

// `n[1]` is below what an item is kept; the number of them is written behind the items.
WORK(keep) {
    IN(uint32_t, x, 0); OUT(uint32_t, out);
    size_t before[omp_get_max_threads() + 1];
    before[0] = 0;
#pragma omp parallel
    {
        size_t k = omp_get_thread_num(), all = omp_get_num_threads(), from = n[0] * k / all, to = n[0] * (k + 1) / all, kept = 0;
        uint32_t bound = n[1];
        for (size_t i = from; i < to; i++) kept += x[i] < bound;
        before[k + 1] = kept;
#pragma omp barrier
        size_t at = 0;
        for (size_t j = 0; j <= k; j++) at += before[j];
        for (size_t i = from; i < to; i++)
            if (x[i] < bound) out[at++] = x[i];
        if (k + 1 == all) out[n[0]] = at;
    }
}

WORK(seams) {
    IN(uint8_t, energy, 0); OUT(uint32_t, costs);
    size_t w = n[0], h = n[1];
    for (size_t x = 0; x < w; x++) costs[x] = energy[x];
#pragma omp parallel
    for (size_t y = 1; y < h; y++) {
        const uint32_t *restrict above = costs + (y - 1) * w;
        uint32_t *restrict row = costs + y * w;
#pragma omp for
        for (size_t x = 0; x < w; x++) {
            size_t left = x ? x - 1 : 0, right = x + 1 < w ? x + 1 : w - 1;
            uint32_t cheapest = above[x];
            if (above[left] < cheapest) cheapest = above[left];
            if (above[right] < cheapest) cheapest = above[right];
            row[x] = cheapest + energy[y * w + x];
        }
    }
}

WORK(paths) {
    OUT(float, d);
    size_t e = n[0];
#pragma omp parallel
    for (size_t k = 0; k < e; k++) {
#pragma omp for
        for (size_t i = 0; i < e; i++) {
            float to = d[i * e + k];
            for (size_t j = 0; j < e; j++) {
                float via = to + d[k * e + j];
                if (via < d[i * e + j]) d[i * e + j] = via;
            }
        }
    }
}

WORK(heat) {
    float *restrict a = result, *restrict b = (float *)in[0];
    size_t w = n[0], h = n[1];
#pragma omp parallel
    for (size_t pair = 0; pair < n[2]; pair++) {
#pragma omp for
        for (size_t y = 1; y < h - 1; y++)
            for (size_t x = 1; x < w - 1; x++) {
                size_t at = y * w + x;
                b[at] = a[at] + 0.2f * (a[at - 1] + a[at + 1] + a[at - w] + a[at + w] - 4.0f * a[at]);
            }
#pragma omp for
        for (size_t y = 1; y < h - 1; y++)
            for (size_t x = 1; x < w - 1; x++) {
                size_t at = y * w + x;
                a[at] = b[at] + 0.2f * (b[at - 1] + b[at + 1] + b[at - w] + b[at + w] - 4.0f * b[at]);
            }
    }
}

WORK(colours) {
    const uint8_t (*pixels)[3] = in[0];
    uint32_t *bins = result;
#pragma omp parallel for reduction(+ : bins[:768])
    for (size_t i = 0; i < n[0]; i++) {
        bins[pixels[i][0]]++;
        bins[256 + pixels[i][1]]++;
        bins[512 + pixels[i][2]]++;
    }
}

// 256 bins of each volume, and 256 x 256 of both.
WORK(information) {
    IN(uint8_t, a, 0); IN(uint8_t, b, 1);
    uint32_t *bins = result;
#pragma omp parallel for reduction(+ : bins[:66048])
    for (size_t i = 0; i < n[0]; i++) {
        bins[a[i]]++;
        bins[256 + b[i]]++;
        bins[512 + a[i] * 256 + b[i]]++;
    }
}

WORK(hough) {
    IN(float, xs, 0); IN(float, ys, 1); IN(float, cosines, 2); IN(float, sines, 3);
    uint32_t *votes = result;
#pragma omp parallel for reduction(+ : votes[:6003 * 182])
    for (size_t i = 0; i < n[0]; i++)
        for (size_t t = 0; t < 180; t++) {
            float distance = xs[i] * cosines[t] + ys[i] * sines[t];
            votes[(size_t)(distance + 3001.0f) * 182 + t]++;
        }
}

// A table of 16 MiB for each thread, which is too large for a stack.
WORK(weights) {
    const uint64_t (*words)[2] = in[0];
    uint64_t *joint = result;
    size_t bins = 128 * 128 * 128;
#pragma omp parallel
    {
        uint64_t *own = calloc(bins, sizeof *own);
#pragma omp for
        for (size_t i = 0; i < n[0]; i++)
            for (size_t j = 0; j < n[0]; j++) {
                const uint64_t *a = words[i], *b = words[j];
                size_t of_a = __builtin_popcountll(a[0]) + __builtin_popcountll(a[1]);
                size_t of_b = __builtin_popcountll(b[0]) + __builtin_popcountll(b[1]);
                size_t common = __builtin_popcountll(a[0] & b[0]) + __builtin_popcountll(a[1] & b[1]);
                own[(of_a * 128 + of_b) * 128 + common]++;
            }
#pragma omp critical
        for (size_t k = 0; k < bins; k++) joint[k] += own[k];
        free(own);
    }
}

// 32 x 32 bins of two volumes.
WORK(bundles) {
    IN(uint8_t, a, 0); IN(uint8_t, b, 1);
    uint32_t *bins = result;
#pragma omp parallel for reduction(+ : bins[:1024])
    for (size_t i = 0; i < n[0]; i++) bins[(a[i] >> 3) * 32 + (b[i] >> 3)]++;
}

// Views of a light field brought together: n = w, h, side, depths.
WORK(refocus) {
    const uint8_t (*views)[3] = in[0];
    IN(float, slopes, 1);
    uint8_t (*out)[3] = result;
    size_t w = n[0], h = n[1], side = n[2];
    float middle = side / 2;
#pragma omp parallel for collapse(2)
    for (size_t d = 0; d < n[3]; d++)
        for (size_t y = 0; y < h; y++)
            for (size_t x = 0; x < w; x++) {
                uint32_t sum[3] = {0, 0, 0}, count = side * side;
                for (size_t v = 0; v < side; v++)
                    for (size_t u = 0; u < side; u++) {
                        float moved_x = x + slopes[d] * (u - middle) + 0.5f, moved_y = y + slopes[d] * (v - middle) + 0.5f;
                        size_t i = moved_x > 0 ? (size_t)moved_x : 0, j = moved_y > 0 ? (size_t)moved_y : 0;
                        size_t at = ((v * side + u) * h + (j < h ? j : h - 1)) * w + (i < w ? i : w - 1);
                        for (size_t c = 0; c < 3; c++) sum[c] += views[at][c];
                    }
                for (size_t c = 0; c < 3; c++) out[(d * h + y) * w + x][c] = sum[c] / count;
            }
}

// A curve of integers in every cell, by remainders: n = cells, terms, primes.
WORK(curve) {
    const uint32_t (*exponents)[2] = in[0], (*sides)[4] = in[1];
    IN(uint32_t, coefficients, 2); IN(uint32_t, powers, 3); IN(uint32_t, primes, 4); IN(uint32_t, inverses, 5); IN(uint32_t, half, 6);
    OUT(uint8_t, out);
    size_t cells = n[0], terms = n[1], r = n[2], places = 2 * cells + 1;
#pragma omp parallel for
    for (size_t row = 0; row < cells; row++)
        for (size_t column = 0; column < cells; column++) {
            size_t first = ((2 * column >= cells) + 2 * (2 * row >= cells)) * terms;
            uint32_t low[32], high[32];
            int zero = 1, below = 0, negative = 0;
            for (size_t k = 0; k < r; k++) {
                uint32_t prime = primes[k];
                uint64_t low_sum = 0, high_sum = 0;
                for (size_t t = 0; t < terms; t++) {
                    const uint32_t *at = sides[first + t];
                    const uint32_t *of_x = powers + (exponents[t][0] * r + k) * places, *of_y = powers + (exponents[t][1] * r + k) * places;
                    uint32_t c = coefficients[t * r + k];
                    uint32_t from = c * of_x[2 * (column + at[0])] % prime, to = c * of_x[2 * (column + at[2])] % prime;
                    low_sum += (uint64_t)from * of_y[2 * (row + at[1])];
                    high_sum += (uint64_t)to * of_y[2 * (row + at[3])];
                }
                uint32_t least = low_sum % prime, most = high_sum % prime;
                for (size_t l = 0; l < k; l++) {
                    uint32_t inverse = inverses[l * r + k];
                    least = (least + prime - low[l]) % prime * inverse % prime;
                    most = (most + prime - high[l]) % prime * inverse % prime;
                }
                low[k] = least;
                high[k] = most;
                if (least != 0) zero = 0;
                if (least != half[k]) below = least > half[k];
                if (most != half[k]) negative = most > half[k];
            }
            out[row * cells + column] = !zero && !below ? 0 : negative ? 2 : 1;
        }
}
