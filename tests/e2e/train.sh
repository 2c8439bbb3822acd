#!/usr/bin/env bash
# assay run on the user's own torch programs: right ones pass and print the same as without assay, planted faults of the optimiser are found
# and named, a message says that a program optimises nothing, and what a program does to its process affects nothing else.
. "$(dirname "$0")/lib.sh"
export ASSAY_HOME=$work/home
export TORCHINDUCTOR_CACHE_DIR=$work/inductor # one that another instruction set has filled gives wrong values (defect 740)
programs=$root/tests/programs
mkdir "$work/right" "$work/told" "$work/alone"
expect "torch is registered" 0 "ready" "$assay" targets add torch --python "$python"
"$python" "$programs/right.py" "$work/right" conv_bn vae ema_buffer >/dev/null
cp "$programs"/ordinary/*.py "$work/right"

cd "$work/right" || exit 70
"$assay" run *.py --target torch 2>/dev/null | split_cases "$work/told/" ""
print_alone "$python" "import torch, torch._inductor.config as c; c.fallback_random = True" "$work/alone" *.py # with the same random operators
for file in *.py; do
    expect "$file passes" 0 0 cat "$work/told/$file.code"
    expect "$file is right" 0 "/eager, written, double  agrees" cat "$work/told/$file.out"
    check "$file prints what it prints alone" diff "$work/alone/$file" <(sed '/^summary:/,$d' "$work/told/$file.out")
done

cp -r "$programs/faults" "$programs/odd" "$work"
cd "$work" || exit 70
"$assay" run faults/*.py odd/*.py --target torch 2>&1 | split_cases "$work/told/" ""
for file in faults/*.py odd/*.py; do
    wanted=$(sed -n 's/^# expect: //p' "$file")
    [ -n "$wanted" ] || continue
    case $file in faults/*) wanted="1 $wanted" ;; esac
    expect "$file" 0 "${wanted%% *}" cat "$work/told/${file/\//_}.code"
    expect "$file: what is told" 0 "${wanted#* }" cat "$work/told/${file/\//_}.out"
done
finish
