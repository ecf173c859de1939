"""Products of square matrices by cuBLAS, through PyTorch: to stand beside `accrue-bench products`. `python3 products.py 1024 2048 f32 f64`.

TF32 is off, so that f32 is what it says. Medians by device events, after calls to warm up.
"""

import sys

import torch

torch.backends.cuda.matmul.allow_tf32 = False
TYPES = {"f32": torch.float32, "f64": torch.float64}


def median(call, samples=9):
    """Microseconds."""
    for _ in range(3):
        call()
    times = []
    for _ in range(samples):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        call()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    return sorted(times)[len(times) // 2]


def main():
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()]
    types = [word for word in sys.argv[1:] if word in TYPES] or ["f32"]
    for n in sizes:
        for name in types:
            a, b = (torch.rand(n, n, device="cuda", dtype=TYPES[name]) for _ in range(2))
            out = torch.empty_like(a)
            us = median(lambda: torch.matmul(a, b, out=out))
            print(f"{n:>6} {name} cublas {us:>10.1f} us {2 * n**3 / us / 1e6:>7.2f} Tflop/s")


if __name__ == "__main__":
    main()
