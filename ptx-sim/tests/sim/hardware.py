#!/usr/bin/env python3
"""Asks a real GPU about the simulator's instruction tests.

    PTX_SIM_CASES=DIR cargo test -p ptx-sim --test sim instructions
    ptx-sim/tests/sim/hardware.py DIR

Every case is a PTX module with its operands and the simulator's results. This runs them through the
driver and prints where the GPU's results differ: NaNs of other bits apart from other values, and for
floats the largest distance in units of the last place. Needs the driver and nothing else.
"""

import ctypes
import glob
import os
import struct
import sys

cuda = ctypes.CDLL("libcuda.so.1")


def call(name, *args):
    status = getattr(cuda, name)(*args)
    if status:
        text = ctypes.c_char_p()
        cuda.cuGetErrorString(status, ctypes.byref(text))
        raise RuntimeError(f"{name}: {text.value.decode()}")


def load(ptx, name):
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    log = ctypes.create_string_buffer(8192)
    options = (ctypes.c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER and its size
    values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p), 8192)
    try:
        call("cuModuleLoadDataEx", ctypes.byref(module), ptx.encode() + b"\0", 2, options, values)
    except RuntimeError as error:
        raise RuntimeError(f"{error}\n{log.value.decode()}") from error
    call("cuModuleGetFunction", ctypes.byref(function), module, name)
    return module, function


def buffer(content):
    address = ctypes.c_uint64()
    call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(len(content)))
    call("cuMemcpyHtoD_v2", address, content, ctypes.c_size_t(len(content)))
    return address


def launch(function, grid, block, shared, *params):
    pointers = (ctypes.c_void_p * len(params))(*(ctypes.cast(ctypes.byref(p), ctypes.c_void_p) for p in params))
    call("cuLaunchKernel", function, grid, 1, 1, block, 1, 1, shared, None, pointers, None)
    call("cuCtxSynchronize")


def fetch(address, size):
    out = ctypes.create_string_buffer(size)
    call("cuMemcpyDtoH_v2", out, address, ctypes.c_size_t(size))
    call("cuMemFree_v2", address)
    return out.raw


def run(ptx, operands, count):
    """One instruction over many operands."""
    module, function = load(ptx, b"run")
    source, target = buffer(operands), buffer(bytes(8 * count))
    launch(function, (count + 127) // 128, 128, 0, source, target, ctypes.c_uint32(count))
    out = fetch(target, 8 * count)
    call("cuMemFree_v2", source)
    call("cuModuleUnload", module)
    return struct.unpack(f"<{count}Q", out)


def program(ptx, content):
    """A whole kernel over one buffer; its last line says grid, block and dynamic shared memory."""
    grid, block, shared = map(int, ptx.strip().rsplit("// ", 1)[1].split())
    module, function = load(ptx, b"k")
    data = buffer(content)
    launch(function, grid, block, shared, data)
    out = fetch(data, len(content))
    call("cuModuleUnload", module)
    return out


def is_nan(bits, kind):
    if kind == "f32":
        return bits & 0x7FFFFFFF > 0x7F800000
    return kind == "f64" and bits & (1 << 63) - 1 > 0x7FF << 52


def ordered(bits, kind):
    """Floats as integers whose difference counts representable numbers."""
    width = {"f32": 32, "f64": 64}[kind]
    return bits if bits >> (width - 1) == 0 else (1 << (width - 1)) - bits


def main():
    device, context = ctypes.c_int(), ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    cases = different = 0
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "case*.ptx"))):
        ptx = open(path).read()
        _, kind, text = ptx[ptx.rindex("\n// ") + 1:].strip().split(" ", 2) if "\n// " in ptx else ("", "", path)
        operands = open(path[:-3] + "in", "rb").read()
        expected = open(path[:-3] + "out", "rb").read()
        count = len(expected) // 8
        expected = struct.unpack(f"<{count}Q", expected)
        cases += 1
        try:
            got = run(ptx, operands, count)
        except RuntimeError as error:
            different += 1
            print(f"{text}: {error}")
            continue
        wrong = [i for i in range(count) if got[i] != expected[i]]
        if not wrong:
            continue
        nans = [i for i in wrong if is_nan(got[i], kind) and is_nan(expected[i], kind)]
        values = [i for i in wrong if i not in set(nans)]
        different += 1
        line = f"{text}: {len(values)} values and {len(nans)} NaNs of {count} differ"
        if kind in ("f32", "f64") and values:
            finite = [abs(ordered(got[i], kind) - ordered(expected[i], kind)) for i in values]
            line += f", by up to {max(finite)} ulp"
        print(line)
        for i in (values or nans)[:3]:
            a, b, c = struct.unpack_from("<3Q", operands, 24 * i)
            print(f"    a {a:#x} b {b:#x} c {c:#x}: the simulator has {expected[i]:#x}, the GPU {got[i]:#x}")
    print(f"{cases} cases, {different} of them differ")
    programs = different = 0
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "program*.ptx"))):
        ptx = open(path).read()
        expected = open(path[:-3] + "out", "rb").read()
        programs += 1
        try:
            got = program(ptx, open(path[:-3] + "in", "rb").read())
        except RuntimeError as error:
            got = str(error).encode()
        if got != expected:
            different += 1
            words = [(i // 4, expected[i:i + 4].hex(), got[i:i + 4].hex()) for i in range(0, len(expected), 4)]
            print(f"{ptx}\n{[w for w in words if w[1] != w[2]][:8]}" if len(got) == len(expected) else f"{ptx}\n{got}")
    print(f"{programs} programs, {different} of them differ")


main()
