#!/bin/bash
# Stands in for llvm-bitcode-linker, the linker that rustc calls for nvptx64 and that no package carries: joins the
# crates' bitcode into one LLVM module, as text, and writes the exported names beside it. build.sh does the rest.
set -euo pipefail

inputs=() exports=() output=
while [ $# -gt 0 ]; do
    case $1 in
        *.o | *.rlib) inputs+=("$1") ;;
        --export-symbol) exports+=("$2"); shift ;;
        -o) output=$2; shift ;;
        --target | --target-cpu | -L) shift ;;
        -O* | --debug) ;;
        *) echo "link.sh: unknown linker argument $1" >&2; exit 1 ;;
    esac
    shift
done

# An rlib also holds metadata, which llvm-link would refuse: take the bitcode members out.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
modules=()
for input in "${inputs[@]}"; do
    case $input in
        *.rlib)
            folder=$work/$(basename "$input" .rlib)
            mkdir "$folder"
            llvm-ar-22 x --output "$folder" "$input"
            modules+=("$folder"/*.o)
            ;;
        *) modules+=("$input") ;;
    esac
done
llvm-link-22 --only-needed -S "${modules[@]}" -o "$output"
printf '%s\n' "${exports[@]}" | sort >"$output.exports"
