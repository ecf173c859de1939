"""PyTorch's and CuPy's bincount as peers; README.md beside this says what is read and answered."""

import json
import statistics
import sys

import numpy

try:
    import torch
except ImportError:
    torch = None
try:
    import cupy
except ImportError:
    cupy = None

WIDTHS = {"u8": numpy.uint8, "u16": numpy.uint16, "u32": numpy.uint32, "u64": numpy.uint64}
FLOATS = {"f32": numpy.float32, "f64": numpy.float64, "u32": numpy.uint32, "u64": numpy.uint64}
RUNS = 5


def torch_times(keys, bins, weights):
    # bincount takes signed integers or bytes; u32 keys below 2^31 are i32 bit for bit.
    signed = {2: numpy.int16, 4: numpy.int32, 8: numpy.int64}.get(keys.itemsize)
    if keys.itemsize == 2:
        keys, signed = keys.astype(numpy.int32), numpy.int32
    array = torch.from_numpy(keys if signed is None else keys.view(signed)).cuda()
    scale = None if weights is None else torch.from_numpy(weights).cuda()
    result = torch.bincount(array, weights=scale, minlength=bins)
    times = []
    for _ in range(RUNS):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        result = torch.bincount(array, weights=scale, minlength=bins)
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1000.0)
    return statistics.median(times), float(result.sum(dtype=torch.float64))


def cupy_times(keys, bins, weights):
    if keys.dtype == numpy.uint64:
        keys = keys.view(numpy.int64)
    array = cupy.asarray(keys)
    scale = None if weights is None else cupy.asarray(weights)
    result = cupy.bincount(array, weights=scale, minlength=bins)
    times = []
    for _ in range(RUNS):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        result = cupy.bincount(array, weights=scale, minlength=bins)
        end.record()
        end.synchronize()
        times.append(cupy.cuda.get_elapsed_time(begin, end) * 1000.0)
    return statistics.median(times), float(result.sum(dtype=numpy.float64))


def main():
    for line in sys.stdin:
        path, key_type, items, bins, weight, bin_type = line.split()
        keys = numpy.fromfile(path, dtype=WIDTHS[key_type], count=int(items))
        weights = None if weight == "count" else numpy.fromfile(weight, dtype=FLOATS[bin_type], count=int(items))
        for name, module, measure in (("torch", torch, torch_times), ("cupy", cupy, cupy_times)):
            if module is None:
                answer = {"peer": name, "skip": "not installed"}
            elif weights is not None and weights.dtype.kind == "u":
                answer = {"peer": name, "skip": "bincount's weights are floats"}
            else:
                try:
                    us, total = measure(keys, int(bins), weights)
                    answer = {"peer": name, "us": round(us, 2), "sum": total}
                except Exception as error:  # a peer that fails is reported, not hidden
                    answer = {"peer": name, "skip": f"{type(error).__name__}: {error}".splitlines()[0]}
            print(json.dumps(answer), flush=True)
        print(json.dumps({"peer": "end"}), flush=True)


if __name__ == "__main__":
    main()
