#!/usr/bin/env bash
# Faults planted in documents, in a function and in its meta function: foretell blames the right one, and nobody without a fault.
#
#     foretell.sh --statuses      only prints what became of the calls under planted crashes, hangs and flaky results, for bench/foretell
. "$(dirname "$0")/lib.sh"
need_engines torch

# blamed FAULT API DOCUMENT: who is blamed for the calls of an API, with this text as its document.
blamed() { # FAULT API DOCUMENT
    local home=$work/torch-$1 out
    out=$(mktemp -d "$work/docs.XXXX")
    [ -d "$home" ] || plant torch "$1" >"$work/plant.log" 2>&1 || { cat "$work/plant.log"; return 1; }
    "$python" - "$out/records.jsonl" "$2" "$3" <<'PY'
import json, sys
out, name, doc = sys.argv[1:]
signature = {"parameters": [{"name": n, "kind": "POSITIONAL_OR_KEYWORD", "annotation": ""} for n in ("input", "diagonal")], "returns": ""}
record = {"name": name, "names": [name], "op": name[6:], "kind": "function", "signature": signature, "schemas": [], "doc": doc, "file": "", "line": 0}
with open(out, "w") as file:
    print(json.dumps({"framework": "torch", "version": "planted", "n_symbols": 1, "left_out": {}}), file=file)
    print(json.dumps(record), file=file)
PY
    ASSAY_HOME=$home "$assay" docs foretell "$2" --out "$out" --json >"$work/told.json" || return 1
    "$python" - "$work/told.json" <<'PY'
import json, sys
told = json.load(open(sys.argv[1]))
assert told["ran"] >= 5, told
rows = told["disagreements"]
print("blamed:", *(sorted({f"{r['blamed']}/{r['change'].split()[0]}" for r in rows if r["blamed"] != "open"}) or ["nobody"]))
PY
}

tril=$'Args:\n    input (Tensor): the input tensor.\n    diagonal (int, optional): the diagonal to consider.\n'
ceil=$'Rounds elementwise.\n\nArgs:\n    input (Tensor): the input tensor.\n'
# statuses FAULT: how many of the changed calls of torch.ceil have which status.
statuses() { # FAULT
    blamed "$1" torch.ceil "$ceil" >/dev/null || return 1
    "$python" -c 'import json, sys; print(json.dumps({k: v for k, v in json.load(open(sys.argv[1]))["statuses"].items() if v}))' "$work/told.json"
}
if [ "${1:-}" = --statuses ]; then
    for fault in none crash hang flaky; do echo "$fault $(statuses $fault 2>/dev/null)"; done
    exit
fi

expect "right documents blame nobody" 0 "blamed: nobody" blamed none torch.tril "$tril"
expect "a right elementwise document blames nobody" 0 "blamed: nobody" blamed none torch.ceil "$ceil"
expect "a wrong range" 0 "blamed: document/int" blamed none torch.tril "${tril/consider./consider, in the range [2, 5).}"
expect "a wrong list of dtypes" 0 "blamed: document/dtype" blamed none torch.tril "${tril/input tensor./input tensor. Must be one of the following types: float32.}"
expect "a wrong shape" 0 "blamed: document/rank" blamed none torch.tril "${tril/input tensor./2-D input tensor.}"
expect "a wrong function" 0 "blamed: code/" blamed "call shape" torch.ceil "$ceil"
expect "a wrong meta function" 0 "blamed: abstract run/" blamed "meta shape" torch.ceil "$ceil"
expect "without a fault" 0 '{"valid": 13, "exception": 7}' statuses none
expect "a crash" 0 '{"exception": 7, "crash": 13}' statuses crash
expect "a hang" 0 '{"valid": 12, "exception": 7, "hangs": 1}' statuses hang
expect "two runs that differ" 0 '{"exception": 7, "flaky": 13}' statuses flaky
expect "an API without seeds" 64 "no seed calls of torch.no_such_name" "$assay" docs foretell torch.no_such_name
finish
