#!/usr/bin/env bash
# Loops that follow each other, on a GPU: seams, Floyd and Warshall's paths and heat, each compared with the CPU's result, and their times.
#
#     bench/steps.sh [FILE]
#
# FILE is `accrue-bench` (default: target/release/accrue-bench), and needs nothing beside it but the driver.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
bench=${1:-$here/../target/release/accrue-bench}
device=${ACCRUE_BENCH_DEVICE:-cuda}

# A result that differs is marked WRONG, and ends with a failure.
"$bench" run --device "$device" --cells maps/steps
# Of the tables, the row of the seams.
"$bench" papers --device "$device" --only 'image pipeline'
