#!/bin/bash
# Compiles this crate to PTX, cut into a library that accrue-ptx reads: ../ptx/math.ptx and ../ptx/kernels.ptx.
#
#   build.sh            writes ../ptx/
#   build.sh --check    builds elsewhere and fails unless ../ptx/ is the same, byte for byte
#   build.sh --sums     builds nothing, and fails unless sources and ../ptx/ are those of the last build, by their checksums
#
# The way: rustc (nvptx64, with core built from source) -> link.sh, one LLVM module -> adjust.awk -> opt -> llc ->
# split.rs. Needs cargo, and from Debian 12 the packages rustc-web, rust-web-src and llvm-22, which it installs when it
# runs as root. Every byte depends on the versions of both, so they are pinned below; to move to newer ones, change the
# pins, run this script and commit what it writes.
set -euo pipefail

rustc_version=1.96.0
llvm_version=22.1.8
libm_version=0.2.16

here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../../target}/device

fail() {
    echo "build.sh: $*" >&2
    exit 1
}

# The checksums of what a build reads and what it writes, paths relative to this folder.
sums=$here/made.sha256
list_sums() {
    (cd "$here" && sha256sum Cargo.toml Cargo.lock *.sh *.awk split.rs $(find src -name '*.rs' | LC_ALL=C sort) ../ptx/*.ptx)
}

if [ "${1:-}" = --sums ]; then
    list_sums | diff "$sums" - >&2 ||
        fail "the sources have changed since ptx-kernels/ptx was made, or it has been edited: run ptx-kernels/device/build.sh and commit both"
    exit
fi

has_tools() {
    [ "$(/usr/bin/rustc --version 2>/dev/null | cut -d' ' -f2)" = "$rustc_version" ] &&
        [ -e "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library/core/Cargo.toml" ] &&
        llc-22 --version 2>/dev/null | grep -q "LLVM version $llvm_version\$"
}

if ! has_tools; then
    command -v apt-get >/dev/null || fail "needs Debian's packages rustc-web $rustc_version, rust-web-src and llvm-22 $llvm_version, and there is no apt-get here"
    [ "$(id -u)" = 0 ] || fail "run as root once: apt-get update && apt-get install rustc-web rust-web-src llvm-22"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q >&2 && apt-get install -q -y --no-install-recommends rustc-web rust-web-src llvm-22 >&2 ||
        fail "apt-get could not install rustc-web, rust-web-src and llvm-22"
    has_tools || fail "the PTX is made with rustc $rustc_version and LLVM $llvm_version; apt-get installed
$(/usr/bin/rustc --version), $(llc-22 --version | grep 'LLVM version'). Change the pins in build.sh, run it, look at the difference and commit it."
fi
command -v cargo >/dev/null || fail "needs cargo, of any version since 1.85: see https://rustup.rs"

case ${1:-} in
    '') out=$here/../ptx ;;
    --check) out=$target/check ;;
    *) fail "unknown argument $1" ;;
esac
mkdir -p "$out"

# Only an object that is made calls the linker, so the last one must go. Paths are kept out of what is compiled.
rm -f "$target"/nvptx64-nvidia-cuda/release/deps/accrue_device.ptx*
(
    cd "$here"
    export CARGO_TARGET_DIR=$target RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
    export CARGO_TARGET_NVPTX64_NVIDIA_CUDA_LINKER=$here/link.sh
    # Without passes: adjust.awk finds libm's functions before they are inlined.
    export RUSTFLAGS="-C target-cpu=sm_70 -C no-prepopulate-passes --remap-path-prefix=$here=device"
    unset CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS RUSTUP_TOOLCHAIN
    touch src/lib.rs
    cargo build --quiet --locked --release -Z build-std=core --target nvptx64-nvidia-cuda
)

module=$target/nvptx64-nvidia-cuda/release/deps/accrue_device.ptx
awk -f "$here/adjust.awk" "$module" >"$target/adjusted.ll"
opt-22 -S --unroll-runtime=false --internalize-public-api-file="$module.exports" \
    -passes='internalize,globaldce,default<O3>,globaldce' "$target/adjusted.ll" -o "$target/optimised.ll"
# PTX ISA 7.0 is the first that sm_80 has; jump tables are spelled as comparisons, which every reader of PTX knows.
llc-22 -O3 -mcpu=sm_70 -mattr=+ptx70 -fp-contract=off -min-jump-table-entries=1000000 \
    "$target/optimised.ll" -o "$target/whole.ptx"
/usr/bin/rustc --edition 2024 -O "$here/split.rs" -o "$target/split"
"$target/split" "$target/whole.ptx" "$out" \
    "// Made by ptx-kernels/device/build.sh: rustc $rustc_version, LLVM $llvm_version, libm $libm_version. Do not edit."

if [ "${1:-}" = --check ]; then
    diff -r -u "$here/../ptx" "$out" | head -n 60 >&2
    diff -r -q "$here/../ptx" "$out" >/dev/null ||
        fail "the checked-in PTX is not what the source gives: run ptx-kernels/device/build.sh and commit ptx-kernels/ptx"
    echo "ptx-kernels/ptx is what its source gives"
else
    list_sums >"$sums"
fi
