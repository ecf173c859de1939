#!/usr/bin/env bash
# Everything that a machine with a GPU is asked for, in one go: right or wrong, speeds, bars.
#
#     bench/accept.sh [OPTIONS] DIR
#
# Needs `accrue-bench` alone, and uses compute-sanitizer and the peers of bench/peers where they are. Every step has a time
# budget and writes a log into DIR; one that fails or takes too long does not stop the next. At the end stands what became of
# each step, and the bars beside the figures. bench/README.md says what the steps are.
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
device=cuda
bench=${ACCRUE_BENCH:-}
peers=$here/peers
sanitizer=${COMPUTE_SANITIZER:-$(command -v compute-sanitizer || true)}
cells=
only=
# Seconds of a step; those of the sanitizers are for each part of the check.
declare -A budget=(
    [check]=600 [run]=600 [fit]=300 [rerun]=600 [first]=120 [hough]=120 [memcheck]=600 [racecheck]=1200
)
order=(check run fit rerun first hough memcheck racecheck)
parts=(update count fault form)

usage() {
    cat <<END
usage: $(basename "$0") [OPTIONS] DIR

    --device DEVICE       what to run on: cuda, cuda:N, or sim for what the simulator can do (default: $device)
    --bench FILE          the binary (default: \$ACCRUE_BENCH, target/release/accrue-bench, accrue-bench)
    --peers DIR           the peers, built (default: bench/peers)
    --only STEPS          only these steps, separated by commas: ${order[*]}
    --cells CELLS         only these cells of the grid, as \`accrue-bench run --cells\` has them
    --budget SECONDS      at most so long for each step
    --budget STEP=SECONDS for one (default:$(for s in "${order[@]}"; do printf ' %s=%s' "$s" "${budget[$s]}"; done))
END
}

fail() {
    echo "error: $1" >&2
    usage >&2
    exit 2
}

known() { [[ -n ${1:-} && -n ${budget[$1]:-} ]] || fail "\`${1:-}\` is not a step"; }

seconds() { [[ ${1:-} =~ ^[1-9][0-9]*$ ]] || fail "\`${1:-}\` is not a number of seconds"; }

out=
while [[ $# -gt 0 ]]; do
    case $1 in
    --help | -h) usage && exit 0 ;;
    --device | --bench | --peers | --only | --cells | --budget)
        [[ $# -gt 1 ]] || fail "\`$1\` wants a value"
        case $1 in
        --device) device=$2 ;;
        --bench) bench=$2 ;;
        --peers) peers=$2 ;;
        --cells) cells=$2 ;;
        --only)
            only=,$2,
            IFS=, read -ra wanted <<<"$2"
            for step in "${wanted[@]}"; do known "$step"; done
            ;;
        --budget)
            seconds "${2#*=}"
            if [[ $2 == *=* ]]; then
                known "${2%%=*}"
                budget[${2%%=*}]=${2#*=}
            else
                for step in "${order[@]}"; do budget[$step]=$2; done
            fi
            ;;
        esac
        shift 2
        ;;
    -*) fail "\`$1\` is not an option" ;;
    *)
        [[ -z $out ]] || fail "one folder, not \`$out\` and \`$1\`"
        out=$1
        shift
        ;;
    esac
done
[[ -n $out ]] || fail "no folder for the results"

if [[ -z $bench ]]; then
    bench=$here/../target/release/accrue-bench
    [[ -x $bench ]] || bench=$(command -v accrue-bench || true)
fi
[[ -n $bench && -x $bench ]] || fail "no accrue-bench\
 (\`cargo build --release -p accrue-bench\` makes one; a copy of that file is all that is needed)"
mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd)
# Kernels and constants of this run alone: what is installed here chooses for no other program.
export ACCRUE_CACHE_DIR=$out/cache
unset ACCRUE_DEVICE ACCRUE_STRATEGY ACCRUE_TUNE ACCRUE_EXPLAIN

simulated=
[[ $device == sim ]] && simulated=yes
# The simulator is slow: it gets one cell, the quick check, and none of the large pictures.
[[ -n $simulated && -z $cells ]] && cells=u32/256/uniform/count/2^16
quick=${simulated:+--quick}

results=()
failed=0

note() { # STEP RESULT SECONDS
    results+=("$(printf '%-18s %6ss  %s' "$1" "$3" "$2")")
    echo "--- $1: $2 ($3 s)"
}

wanted() { [[ -z $only || $only == *,$1,* ]]; }

# Runs a command as a step, or as a part of one: STEP-PART.
step() {
    local name=$1 start=$SECONDS limit=${budget[${1%%-*}]} rc
    shift
    wanted "${name%%-*}" || return 0
    echo "=== $name: $*"
    timeout --kill-after=10 "$limit" "$@" >"$out/$name.log" 2>&1
    rc=$?
    case $rc in
    0) note "$name" ok $((SECONDS - start)) ;;
    124 | 137) failed=1 && note "$name" "OUT OF TIME after $limit s, see $name.log" $((SECONDS - start)) ;;
    *) failed=1 && note "$name" "FAILED with $rc, see $name.log" $((SECONDS - start)) ;;
    esac
}

skip() { # STEP WHY
    wanted "${1%%-*}" && note "$1" "skipped: $2" 0
    return 0
}

# `run` stops by itself before the budget does, so that its figures are written.
measure() { # STEP FILE CELLS
    local limit=${budget[${1%%-*}]} arguments
    arguments=(run --device "$device" --samples 5 --json "$out/$2" --seconds $((limit > 120 ? limit - 90 : limit / 2 + 1)))
    [[ -n $3 ]] && arguments+=(--cells "$3")
    [[ -d $peers && -z $simulated ]] && arguments+=(--peers "$peers")
    step "$1" "$bench" "${arguments[@]}"
}

step check "$bench" check --device "$device" $quick
measure run run.json "$cells"
if [[ -n $simulated ]]; then
    skip fit "the simulator's times are not a GPU's"
    skip rerun "there are no fitted constants"
    skip first "the simulator compiles nothing"
    skip hough "too large for the simulator"
else
    if [[ -f $out/run.json ]]; then
        step fit "$bench" fit "$out/run.json" --keep "$out/kept.json" --install "$device"
        measure rerun rerun.json "$cells"
    else
        skip fit "there is no run.json"
        skip rerun "there are no fitted constants"
    fi
    # Each in a process that no cache helps.
    for i in 1 2 3; do
        ACCRUE_CACHE_DIR=$out/cache-$i CUDA_CACHE_DISABLE=1 measure "first-$i" "first-$i.json" pixels
    done
    measure hough hough.json hough
fi
for tool in memcheck racecheck; do
    if [[ -z $sanitizer ]]; then
        skip "$tool" "no compute-sanitizer"
    elif [[ -n $simulated ]]; then
        skip "$tool" "the simulator has its own"
    else
        for part in "${parts[@]}"; do
            step "$tool-$part" "$sanitizer" --tool "$tool" --error-exitcode 99 \
                "$bench" check --device "$device" --quick --most 5000011 --parts "$part"
        done
    fi
done

{
    printf '\nsteps, with their logs in %s:\n' "$out"
    printf '%s\n' "${results[@]}"
    # Hosts' times: opening, the first call.
    for log in "$out"/first-*.log; do
        [[ -f $log ]] && printf '%s: %s\n' "$(basename "$log" .log)" "$(grep -m1 '^host, in us' "$log")"
    done
    for figures in run rerun; do
        wanted "$figures" && [[ -f $out/$figures.json ]] || continue
        printf '\nbars, %s:\n' "$figures"
        "$bench" bars "$out/$figures.json"
    done
} | tee "$out/summary.txt"
exit "$failed"
