"""Histograms as people fill them in Python, for `accrue-compare`, which asks and compares.

Reads jobs from standard input, one a line, and answers each with a line of JSON: the time of one run, and the bins where they are to be
compared. Arrays are files of little-endian numbers, mapped, so that all read the same pages.

    bincount FILE BINS                            NumPy, 32-bit keys as they come: it makes 64-bit ones of them first
    bincount64 FILE BINS                          NumPy, keys of the type that it counts
    histogram FILE BINS LOW HIGH                  NumPy, 32-bit floats
    boost FILE BINS LOW HIGH THREADS              boost-histogram, one dimension
    boost2 FILE FILE BINS LOW HIGH THREADS        boost-histogram, two
    lightgbm FILE ROWS FEATURES SHARE THREADS     LightGBM, the histograms of the share of the rows that it draws for a tree of two leaves
"""

import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

arrays = {}
boosters = {}
clocks = []


def mapped(path, kind):
    if (path, kind) not in arrays:
        array = np.memmap(path, kind, "r")
        # In memory before anything is timed.
        array.sum()
        arrays[path, kind] = array.view(np.ndarray)
    return arrays[path, kind]


def timed(work):
    begin = time.perf_counter()
    bins = work()
    return {"us": (time.perf_counter() - begin) * 1e6, "bins": np.asarray(bins).ravel().tolist()}


def boost(columns, bins, low, high, threads):
    import boost_histogram as bh

    axes = [bh.axis.Regular(bins, low, high) for _ in columns]
    # One thread is what `fill` takes unless it is told otherwise; 0 is as many as there are cores.
    def work():
        histogram = bh.Histogram(*axes, storage=bh.storage.Int64())
        histogram.fill(*columns, threads=threads)
        return histogram.view()

    return timed(work)


def clock():
    """LightGBM, and the clock of its histograms, which is built and loaded first."""
    if not clocks:
        with tempfile.TemporaryDirectory() as folder:
            library = os.path.join(folder, "clock.so")
            source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lightgbm.c")
            subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
            watched = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
        import lightgbm

        watched.taken.restype = ctypes.c_double
        watched.watch.argtypes = [ctypes.c_void_p]
        watched.watch.restype = ctypes.c_bool
        if not watched.watch(lightgbm.basic._LIB._handle):
            raise ImportError("this LightGBM has no SerialTreeLearner::ConstructHistograms to time")
        clocks.extend([lightgbm, watched])
    return clocks


def booster(path, rows, features, share, threads, layout):
    lightgbm, watched = clock()
    key = (path, rows, features, share, threads, layout)
    if key not in boosters:
        values = mapped(path, "u1").reshape(rows, features).astype(np.float32)
        label = np.random.default_rng(7).integers(0, 2, rows)
        params = {
            "objective": "binary", "num_leaves": 2, "max_bin": 255, "min_data_in_bin": 1, "verbosity": -1,
            "num_threads": threads, "bagging_fraction": share, "bagging_freq": 1000000, layout: True,
            "enable_bundle": False, "feature_pre_filter": False,
        }
        data = lightgbm.Dataset(values, label, params=params, free_raw_data=True)
        boosters[key] = lightgbm.Booster(params, data)
        boosters[key].update()
        watched.taken()
    boosters[key].update()
    return watched.taken() * 1e6


def lightgbm(path, rows, features, share, threads):
    # The quicker of LightGBM's two layouts counts.
    layouts = ["force_row_wise", "force_col_wise"]
    return {"us": min(booster(path, rows, features, share, threads, layout) for layout in layouts), "bins": []}


JOBS = {
    "bincount": lambda a, n: timed(lambda: np.bincount(mapped(a, "<u4"), minlength=int(n))),
    "bincount64": lambda a, n: timed(lambda: np.bincount(mapped(a, "<i8"), minlength=int(n))),
    "histogram": lambda a, n, low, high: timed(
        lambda: np.histogram(mapped(a, "<f4"), int(n), (float(low), float(high)))[0]
    ),
    "boost": lambda a, n, low, high, t: boost([mapped(a, "<f4")], int(n), float(low), float(high), int(t)),
    "boost2": lambda a, b, n, low, high, t: boost(
        [mapped(a, "<f4"), mapped(b, "<f4")], int(n), float(low), float(high), int(t)
    ),
    "lightgbm": lambda a, rows, n, share, t: lightgbm(a, int(rows), int(n), float(share), int(t)),
}

for line in sys.stdin:
    name, *words = line.split()
    try:
        answer = JOBS[name](*words)
    except (ImportError, OSError, subprocess.CalledProcessError) as missing:
        answer = {"skip": str(missing)}
    print(json.dumps(answer), flush=True)
