#!/usr/bin/env bash
# Faults planted in a copy of a framework are found by calls that verified pairs write for three frameworks: a wrong default, exchanged
# arguments, a wrong axis, a wrong dtype, a missing broadcast. The framework with the fault is blamed, and nothing is found without one.
# So is a backend of Keras, by calls of one function of Keras on three of them.
. "$(dirname "$0")/lib.sh"
need_engines torch
has_framework jax && has_framework keras || finish

# found FRAMEWORK FAULT FUNCTION [CASES]: which frameworks are blamed, and for what: "torch | value".
targets=torch/eager,jax/eager,keras/eager
found() { # FRAMEWORK FAULT FUNCTION CASES
    plant "$1" "$2" >"$work/plant.log" 2>&1 || { cat "$work/plant.log"; return 1; }
    ASSAY_HOME=$work/$1-$2 "$assay" mutate --generator transfer --operator "$3" -n "${4:-4}" --seed 3 --out "$work/cases" -q >/dev/null
    ASSAY_HOME=$work/$1-$2 "$assay" run "$work"/cases/* --target $targets --json >"$work/told.json" 2>"$work/told.err"
    rm -rf "$work/cases"
    "$python" - "$work/told.json" <<'PY'
import json, sys
text, found, at = open(sys.argv[1]).read(), set(), 0
while text[at:].strip():
    at = text.index("{", at)
    told, at = json.JSONDecoder().raw_decode(text, at)
    found |= {(v["target"]["engine"], v["wrong"]) for v in told["verdicts"] if v["decision"] == "fail"}
print("found:", *(sorted({e for e, _ in found}) or ["-"]), "|", *sorted({w for _, w in found}))
PY
}

# scripted HOME: the script of the bug that a hunt finds under the fault of "found" above, run with HOME's torch.
scripted() { # HOME
    local id
    [ -e "$work/hunted" ] || ASSAY_HOME=$work/torch-arguments "$assay" hunt --generator transfer --operator torch.atan2 --cases 6 --seed 3 --pilots 1 -q \
        --target $targets --oracle pairs --out "$work/hunted" >/dev/null 2>&1
    id=$(ASSAY_HOME=$1 "$assay" bugs --out "$work/hunted" --json | "$python" -c 'import json, sys; print(json.load(sys.stdin)[0]["id"])')
    "$assay" report "$id" --out "$work/hunted" --format script >"$work/reproduce.py" || return 70
    local name
    for name in torch jax keras; do
        declare -x "PYTHON_${name^^}=$(ASSAY_HOME=$1 interpreter "$name")"
    done
    "$PYTHON_JAX" "$work/reproduce.py"
}

expect "torch as it is" 0 "found: - |" found torch none torch.atan2
expect "a wrong default" 0 "found: torch | value" found torch default torch.nn.functional.elu
expect "exchanged arguments" 0 "found: torch | value" found torch arguments torch.atan2
expect "a script with the fault" 1 "the bug is there" scripted "$work/torch-arguments"
expect "a script without the fault" 0 "the bug is not there" scripted "$ASSAY_HOME"
expect "a wrong axis" 0 "found: torch | value" found torch axis torch.cumsum
expect "a wrong dtype" 0 "found: torch | dtype" found torch dtype torch.maximum 12
expect "a missing broadcast" 0 "found: torch | shape" found torch broadcast torch.fmax 12
expect "exchanged arguments in jax" 0 "found: jax | value" found jax arguments torch.atan2
targets=keras/eager,keras-numpy/eager,keras-jax/eager
expect "backends of Keras as they are" 0 "found: - |" found keras none keras.ops.arctan2
expect "exchanged arguments in a backend of Keras" 0 "found: keras-numpy | value" found keras-numpy "numpy arguments" keras.ops.arctan2
finish
