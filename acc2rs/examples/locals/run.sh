#!/bin/sh
# Runs what build.sh made, over all bins and distributions: run.sh FOLDER > results.txt
set -eu
for bins in 256 65536 1092546; do
    for distribution in uniform skewed; do
        for program in naive auto tuned; do
            "$1/$program" "$bins" "$distribution" 134217728
        done
    done
done
