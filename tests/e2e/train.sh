#!/usr/bin/env bash
# assay run on the user's own torch programs: right ones pass and print the same as without assay, planted faults of the optimiser are found
# and named, a message says that a program optimises nothing, and what a program does to its process affects nothing else.
. "$(dirname "$0")/lib.sh"
export ASSAY_HOME=$work/home
programs=$root/tests/programs
expect "torch is registered" 0 "ready" "$assay" targets add torch --python "$python"
"$python" "$programs/right.py" "$work/right" conv_bn vae ema_buffer >/dev/null
cp "$programs"/ordinary/*.py "$work/right"

alone() { # PROGRAM: its output without assay, with the same random operators
    env -C "$(dirname "$1")" "$python" -c "
import runpy, torch, torch._inductor.config
torch._inductor.config.fallback_random = True
runpy.run_path('$1', run_name='__main__')" 2>/dev/null
}
for file in "$work"/right/*.py; do
    name=$(basename "$file" .py)
    (cd "$work/right" && "$assay" run "$file" --target torch >"$work/$name.out" 2>/dev/null)
    check "$name passes" test $? = 0
    expect "$name is right" 0 "/eager, written, double  agrees" cat "$work/$name.out"
    check "$name prints what it prints alone" diff <(alone "$file") <(sed '/^summary:/,$d' "$work/$name.out")
done

for file in "$programs"/faults/*.py; do
    wanted=$(sed -n 's/^# expect: //p' "$file")
    [ -z "$wanted" ] || expect "$(basename "$file" .py): found" 1 "$wanted" "$assay" run "$file" --target torch
done

for file in "$programs"/odd/*.py; do
    wanted=$(sed -n 's/^# expect: //p' "$file")
    expect "$(basename "$file" .py)" "${wanted%% *}" "${wanted#* }" "$assay" run "$file" --target torch
done
finish
