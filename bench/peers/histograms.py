"""Histograms of Python's libraries, on the points that `rust/` has written: `histograms.py FILE [TURNS]`.

Needs numpy and boost-histogram. A line of the table of docs/measurements/peers.md for each: least processor time of the thread, in milliseconds.
"""

import sys
import time

import boost_histogram as bh
import numpy as np


def least(turns, form):
    times = []
    for _ in range(turns):
        start = time.thread_time()
        form()
        times.append(time.thread_time() - start)
    return min(times) * 1e3


def main():
    points = np.fromfile(sys.argv[1], dtype=np.float32).reshape(-1, 2)
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    x, y = (np.ascontiguousarray(points[:, k]) for k in range(2))
    # As the picture of `rust/`: smooth, with noise.
    at = np.indices((3000, 4000))
    grey = ((at[1] // 16 + at[0] // 20) % 256 + np.random.default_rng(1).integers(0, 16, at[0].shape)).astype(np.uint8)
    grey = grey.ravel()
    axis = bh.axis.Regular(100, -3, 3)
    rows = [
        ("12 million grey pixels", "NumPy `bincount`", lambda: np.bincount(grey, minlength=256)),
        ("10 million `f32`, 100 bins", "NumPy `histogram`", lambda: np.histogram(x, bins=100, range=(-3, 3))),
        ("10 million `f32`, 100 bins", "boost-histogram", lambda: bh.Histogram(axis).fill(x)),
        ("10 million `f32`, 100 bins", "boost-histogram `numpy.histogram`", lambda: bh.numpy.histogram(x, bins=100, range=(-3, 3))),
        (
            "10 million pairs of `f32`, 100 × 100 bins",
            "NumPy `histogram2d`",
            lambda: np.histogram2d(x, y, bins=100, range=((-3, 3), (-3, 3))),
        ),
        ("10 million pairs of `f32`, 100 × 100 bins", "boost-histogram", lambda: bh.Histogram(axis, axis).fill(x, y)),
    ]
    for what, peer, form in rows:
        print(f"| {what} | {peer} | {least(turns, form):.1f} |", flush=True)


main()
