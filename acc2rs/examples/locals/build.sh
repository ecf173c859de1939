#!/bin/sh
# Builds the naive histogram, the tuned one over its numbers of copies, and the one that chooses them, for NVIDIA
# GPUs: build.sh FOLDER. It needs gcc-12 and gcc-12-offload-nvptx; where the programs run, libgomp.so.1 and
# libgomp-plugin-nvptx.so.1 (package libgomp-plugin-nvptx1) have to be on LD_LIBRARY_PATH.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
: "${ACC2RS:=cargo run --quiet --release -p acc2rs --}"
gcc="gcc-12 -O3 -std=gnu11 -no-pie -fopenacc -foffload=nvptx-none"
options="-O3 -misa=sm_80 -lm"
$ACC2RS optimize "$here/histogram.c" -o "$1/tuned.c" --locals 8
$ACC2RS optimize "$here/histogram.c" -o "$1/auto.c" --locals auto
$gcc -foffload-options="$options" "$here/histogram.c" -o "$1/naive" -lm
$gcc -foffload-options="$options" -DPROGRAM='"tuned"' -DLAST=128 -DNUM_LOCALS=wanted "$1/tuned.c" -o "$1/tuned" -lm
$gcc -foffload-options="$options" -DPROGRAM='"auto"' -DLAST=0 "$1/auto.c" -o "$1/auto" -lm
