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
PATIENCE = 25.0  # milliseconds


def timed(run, event, elapsed):
    """The median time in microseconds of what fits the patience, and the last result."""
    times, result = [], run()
    while len(times) < RUNS and sum(times) < PATIENCE:
        begin, end = event(), event()
        begin.record()
        result = run()
        end.record()
        end.synchronize()
        times.append(elapsed(begin, end))
    return statistics.median(times) * 1000.0, result


def torch_run(keys, repeats, bins, weights):
    # bincount takes signed integers or bytes; u32 keys below 2^31 are i32 bit for bit.
    if keys.itemsize == 2:
        keys = keys.astype(numpy.int32)
    elif keys.itemsize > 2:
        keys = keys.view({4: numpy.int32, 8: numpy.int64}[keys.itemsize])
    array = torch.from_numpy(keys).cuda().repeat(repeats)
    scale = None if weights is None else torch.from_numpy(weights).cuda().repeat(repeats)
    us, result = timed(
        lambda: torch.bincount(array, weights=scale, minlength=bins),
        lambda: torch.cuda.Event(enable_timing=True),
        lambda begin, end: begin.elapsed_time(end),
    )
    return us, result.to(torch.float64).cpu().numpy()


def cupy_run(keys, repeats, bins, weights):
    if keys.dtype == numpy.uint64:
        keys = keys.view(numpy.int64)
    array = cupy.tile(cupy.asarray(keys), repeats)
    scale = None if weights is None else cupy.tile(cupy.asarray(weights), repeats)
    us, result = timed(
        lambda: cupy.bincount(array, weights=scale, minlength=bins), cupy.cuda.Event, cupy.cuda.get_elapsed_time
    )
    return us, cupy.asnumpy(result).astype(numpy.float64)


def main():
    for line in sys.stdin:
        path, key_type, block, repeats, bins, weight, bin_type = line.split()
        keys = numpy.fromfile(path, dtype=WIDTHS[key_type], count=int(block))
        weights = None if weight == "count" else numpy.fromfile(weight, dtype=FLOATS[bin_type], count=int(block))
        for name, module, run in (("torch", torch, torch_run), ("cupy", cupy, cupy_run)):
            if module is None:
                answer = {"peer": name, "skip": "not installed"}
            elif weights is not None and weights.dtype.kind == "u":
                answer = {"peer": name, "skip": "bincount's weights are floats"}
            else:
                try:
                    us, result = run(keys, int(repeats), int(bins), weights)
                    moment = float(result @ numpy.arange(len(result), dtype=numpy.float64))
                    answer = {"peer": name, "us": round(us, 2), "sum": float(result.sum()), "moment": moment}
                except Exception as error:  # a peer that fails is reported, not hidden
                    answer = {"peer": name, "skip": f"{type(error).__name__}: {error}".splitlines()[0]}
            print(json.dumps(answer), flush=True)
        print(json.dumps({"peer": "end"}), flush=True)


if __name__ == "__main__":
    main()
