#!/usr/bin/env bash
# Makes the Nth system call of each kind fail, for every N that is reached, under commands that read and write. Each failure must give an exit
# code from the table, one line that says what failed, and no half-written file.
. "$(dirname "$0")/../e2e/lib.sh"
assay=$root/build/sanitize/assay
[ -x "$assay" ] || assay=$root/build/assay

"$root/build/assay" mutate lenet5 -n 1 --seed 1 --out "$work/seed" -q >/dev/null || { echo "0 passed, 1 failed"; exit 1; }
model=$(find "$work/seed" -name model.onnx | head -1)

# loop NAME POINT COMMAND...: runs with FAULT=POINT:1, :2, ... until a run no longer fails.
loop() {
    local name=$1 point=$2 n code out
    shift 2
    for n in $(seq 1 60); do
        rm -rf "$work/out"
        out=$(FAULT=$point:$n "$@" 2>&1)
        code=$?
        case $code in
        0) break ;;
        65 | 70 | 75) ;;
        *) n_failed=$((n_failed + 1)); echo "FAILED $name with FAULT=$point:$n: exit $code"; head -3 <<<"$out"; return ;;
        esac
        if [ "$(grep -c . <<<"$out")" -lt 1 ]; then
            n_failed=$((n_failed + 1)); echo "FAILED $name with FAULT=$point:$n: says nothing"; return
        fi
        if find "$work/out" -name '*.??????' -newer "$model" 2>/dev/null | grep -q '\.[A-Za-z0-9]\{6\}$'; then
            n_failed=$((n_failed + 1)); echo "FAILED $name with FAULT=$point:$n: leaves a temporary file"; return
        fi
    done
    n_passed=$((n_passed + 1))
}

for point in open read write rename fsync; do
    loop check $point "$assay" check "$model"
    loop eval $point "$assay" eval "$model" --out "$work/out"
    loop mutate $point "$assay" mutate "$model" -n 2 --out "$work/out"
done
finish
