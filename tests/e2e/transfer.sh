#!/usr/bin/env bash
# Issues translated by a language model, which is a server of ours: what it is told, what of its replies is repaired or asked for once more, and
# the same from cassettes without a server.
. "$(dirname "$0")/lib.sh"
start_model
issue='pytorch/pytorch#183082' # sin_, argmax and torch.compile of a matrix
n_asked() { wc -l <"$work/mock/requests"; }
by() { # MODEL WORDS...
    local model=$1
    shift
    "$assay" corpus translate "$issue" --llm "$url" --llm-model "$model" --llm-cassettes tapes "$@" 2>&1
}
says() { # NAME: the reply that the model file-NAME gives
    { echo 'Here it is:'; echo '```python'; cat; echo '```'; } >"$work/mock/$1"
}
prompt() { # N FLAG: the N-th prompt
    sed -n "${1}p" "$work/mock/requests" | "$python" -c 'import json, sys; print(json.load(sys.stdin)["messages"][-1]["content"])'
}

says right <<'E2'
import numpy as np
import keras
import tensorflow as tf

def peak(m):
    return keras.ops.argmax(keras.ops.transpose(keras.ops.sin(m)))

m = keras.ops.reshape(keras.ops.linspace(-2.3, 1.7, 35), (5, 7))
print(peak(m), tf.function(peak, jit_compile=True)(m))
E2
says left <<'E2'
import torch
import keras
print(keras.ops.sin(torch.ones(3)))
E2
cp "$work/mock/right" "$work/mock/left.2"
sed 's/^import numpy as np$/import torch/; s/^/    /' "$work/mock/right" | sed 's/^ *```/```/; s/^ *Here/Here/' >"$work/mock/indented"
says numpy <<'E2'
import numpy as np
print(np.sin(np.ones(3)))
E2
head -6 "$work/mock/right" >"$work/mock/damaged"
echo 'print(' >>"$work/mock/damaged"

expect "a program that is right" 0 "keras.ops.argmax(" by file-right
check "is asked for once" test "$(n_asked)" = 1
check "the prompt holds the program" grep -q 'm = torch.linspace(-2.3, 1.7, 35).reshape(5, 7)' <<<"$(prompt 1)"
check "and what is known of its calls" grep -q -e '- torch.Tensor.sin_ is keras.ops.sin, with the same arguments' <<<"$(prompt 1)"
expect "from the cassette" 0 "keras.ops.argmax(" "$assay" corpus translate "$issue" --llm cassette --llm-model file-right --llm-cassettes tapes
check "without a request" test "$(n_asked)" = 1
expect "no cassette" 65 "record it first" "$assay" corpus translate "$issue" --llm cassette --llm-model never-asked --llm-cassettes tapes
expect "the source framework is left: asked once more" 0 "keras.ops.argmax(" by file-left
check "with the mistake named" grep -q 'The mistake is: source framework left, torch' <<<"$(prompt 3)"
expect "an indent and an import that nothing needs are repaired" 0 "import keras" by file-indented
check "without asking again" test "$(n_asked)" = 4
expect "what was repaired is said" 0 '"unused imports of the source removed"' by file-indented --json
expect "NumPy instead of the target" 2 "target API not reached" by file-numpy
expect "prose" 2 "no program: the reply has none" by good
expect "damage" 2 "no valid Python" by file-damaged
expect "without distinction" 0 "keras.ops.argmax(" by file-right --without distinction
check "nothing is told but the program" bash -c "! grep -q 'keras.ops' <<<\"\$1\" && grep -q 'step by step' <<<\"\$1\"" _ "$(prompt "$(n_asked)")"
expect "what the screening leaves out is not asked for" 2 "no pair" "$assay" corpus translate '#31192' --llm "$url" --llm-model good
expect "a budget of requests" 65 "the budget of requests" by always --llm-requests 1
expect "a server that is down" 75 "tries)" "$assay" corpus translate "$issue" --llm http://127.0.0.1:9 --llm-tries 1 --llm-cassettes none
expect "by tables, all of them" 0 "issues are translated" "$assay" corpus translate all
"$assay" corpus translate all --json >"$work/all.json" 2>"$work/all.err"
check "the same as JSON" "$python" - "$work/all.json" <<'PY'
import json, sys
rows = json.load(open(sys.argv[1]))
assert len(rows) > 100 and all(r["by"] == "tables" and bool(r["program"]) != bool(r["reason"]) for r in rows), len(rows)
PY
"$assay" corpus translate all --json --llm "$url" --llm-model programs --llm-requests 6 --llm-cassettes "$work/all" >"$work/some.json" 2>"$work/some.err"
check "a model, until its budget is used up" "$python" - "$work/some.json" <<'PY'
import json, sys
rows = [r for r in json.load(open(sys.argv[1])) if r.get("answers")]
assert rows and sum(len(r["answers"]) for r in rows) <= 6, rows
assert all(a["failure"] in ("no program", "source framework left") for r in rows for a in r["answers"]), rows
assert all(r["tokens_in"] > 0 and r["bytes_code"] > 0 for r in rows)
PY
check "one message says so" test "$(grep -c 'budget of requests' "$work/some.err")" = 1
# The issues whose translation showed a defect: each folder has the record, and files of one name do not replace each other.
translations() {
    local file id to names
    for file in "$root"/defects/*/issue.jsonl; do
        "$assay" corpus import "$file" >/dev/null || return 1
    done
    for file in "$root"/defects/*/issue.jsonl; do
        read -r id to names < <("$python" - "$file" <<'PY'
import json, pathlib, sys
record = json.loads(pathlib.Path(sys.argv[1]).read_text())
defect = json.loads(pathlib.Path(sys.argv[1]).with_name("defect.json").read_text())
to = "jax" if defect["engine"].startswith("JAX") else "keras"
print(f"{record['repository']}#{record['number']}", to, defect["operators"].replace(", ", "\\|"))
PY
        )
        "$assay" corpus translate "$id" --to "$to" >"$work/translated.py" && grep -q "\.\($names\)(" "$work/translated.py" || return 1
    done
}
check "issues that showed defects are translated" translations
check "no key is shown" bash -c "! grep -rq never-to-be-shown '$work' --include=*.json --include=*.err"
finish
