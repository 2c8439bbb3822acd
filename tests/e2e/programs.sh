#!/usr/bin/env bash
# Programs as cases, from hunt to replay, with a toy framework in a user's own adapter, whose optimiser is wrong in two places. Programs of
# twelve statements and more are run, judged by the engine's own base mode, reduced, confirmed, kept, reported and replayed.
. "$(dirname "$0")/lib.sh"
toy=$root/tests/toy
export ASSAY_HOME=$work/home
mkdir -p "$ASSAY_HOME/adapters"
cp "$toy"/toy.json "$toy"/toy*.py "$ASSAY_HOME/adapters/"
hunt() { # OUT PILOTS
    "$assay" hunt --target toy --generator corpus --model "$toy/wrong_value.py,$toy/raises.py,$toy/right.py" --cases 9 --pilots "$2" --out "$1"
}
export -f hunt
export assay toy
field() { "$assay" bugs --out "$work/$1" --json | "$python" -c "import json, sys; print(*sorted(str(b['$2']) for b in json.load(sys.stdin)), sep='\n')"; }

expect "an adapter of the user's own is registered" 0 "toy@" "$assay" targets add toy --python "$python"
expect "a program that agrees" 0 "/eager, fast  agrees" "$assay" run "$toy/right.py" --target toy
expect "a wrong value" 1 "-167.5 where the run without optimisations gives -335.5" "$assay" run "$toy/wrong_value.py" --target toy
expect "an error that the base mode does not raise" 1 "a valid program is refused: shift and clamp were fused" "$assay" run "$toy/raises.py" --target toy
expect "a model is not for it" 2 "the engine runs programs only" bash -c "'$assay' mutate lenet5 -n 1 --seed 1 --out m -q && '$assay' run \$(dirname \$(find m -name case.json)) --target toy"

expect "each fault is a bug" 1 "done: 9 cases, 2 bugs here" hunt one 1
expect "two keys" 0 "2" bash -c "'$assay' bugs --out one --json | grep -c '\"key\":'"
check "the same with four pilots" bash -c "cd '$work' && (hunt four 4; true) && diff <('$assay' bugs --out one --json | grep '\"key\"') <('$assay' bugs --out four --json | grep '\"key\"')"
check "seeds show them as they stand" test "$(field one traits | sort -u)" = of-seed
for n in $(field one nodes); do check "reduced to three statements at most, not $n" test "$n" -le 3; done
for id in $(field one id); do
    expect "$id is confirmed again" 1 "confirmed: failed 12 of 12 times" "$assay" replay "$id" --out one
    "$assay" report "$id" --out "$work/one" --format script >"$work/$id.py"
    expect "the script of $id shows it, without assay" 1 "eager" env PYTHONPATH="$toy" "$python" "$work/$id.py"
    sed -i 's/MODE = "fast"/MODE = "eager"/' "$work/$id.py"
    expect "and is silent in the base mode" 0 "eager" env PYTHONPATH="$toy" "$python" "$work/$id.py"
    expect "the draft of $id shows the program" 0 "import toy" "$assay" report "$id" --out one --format md
done
folder=$(field one folder | sed -n 1p)
expect "a kept case runs again" 1 "WRONG" "$assay" run "$work/one/${folder#"$work/one/"}" --target toy

printf '{"engine": "toy"}' >"$ASSAY_HOME/adapters/toy.json"
expect "a broken description is named" 65 "adapters/toy.json" "$assay" targets list
rm "$ASSAY_HOME/adapters/toy.json"
cp "$toy/toy.json" "$ASSAY_HOME/adapters/ort.json"
expect "a file of another name" 65 'describes the engine "toy"' "$assay" targets list
finish
