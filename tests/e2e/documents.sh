#!/usr/bin/env bash
# Documents as tests: planted documents are found and blamed, right ones are not; judged findings live; predictions are made.
. "$(dirname "$0")/lib.sh"
need_engines torch

# A framework of our own with planted documents, run by the real worker modules.
planted() {
    cat >"$work/order.json" <<'JSON'
{"framework": "torch", "seconds": 20, "documents": [
 {"name": "torch.abs", "seed": 0, "statements": [{"source": "a = torch.tensor([-1.0, 2.0])\n"}, {"source": "torch.abs(a)\n"}, {"source": "torch.abs('x')\n"}]},
 {"name": "torch.abs", "seed": 0, "statements": [{"source": "import os\n"}, {"source": "os.abort()\n"}]},
 {"name": "torch.add", "seed": 0, "statements": [{"source": "b = torch.rand(2)\n"}, {"source": "b\n", "name": "b", "values": "[[0.25, 0.5]]"}]}]}
JSON
    "$python" -I -B "$root/py/assay_worker/examples.py" "$work/order.json"
}
export -f planted
export python root work
expect "a statement's output, and what it raises" 0 '{"printed": "tensor([1., 2.])\n"}, {"printed": "", "type": "TypeError"' planted
expect "a document that dies is told so" 0 '"end": "signal 6", "results": [{"printed": ""}]' planted
expect "a printed input is put back" 0 'tensor([0.2500, 0.5000])\n", "put": true' planted

expect "an unknown framework" 64 "no engine is called" "$assay" docs check mxnet
expect "no such name" 64 "no public name" "$assay" docs torch.no_such_name
expect "no seeds of a framework" 64 "no seed calls" "$assay" docs foretell ort
expect "a record" 0 "schema     aten::addbmm(" "$assay" docs torch.addbmm
expect "a sentence, and its constraint" 0 "nan and inf in it will not be propagated" "$assay" docs torch.addbmm
expect "judged findings live" 0 " 0 failed" "$python" "$root/tools/check-judged" torch

cat >"$work/calls.json" <<'JSON'
{"calls": [
 {"symbol": "torch.add", "op": "add", "args": [{"tensor": {"dtype": "float32", "shape": [2], "values": [1.0, 2.0]}}, 3], "keys": {"alpha": 2}},
 {"symbol": "torch.sort", "op": "sort", "args": [{"tensor": {"dtype": "float32", "shape": [2], "values": [1.0, 2.0]}}], "keys": {"dim": 9}},
 {"symbol": "torch.lu_unpack", "op": "luunpack", "args": [{"tensor": {"dtype": "float32", "shape": [1, 1], "values": [1.0]}}, {"tensor": {"dtype": "int32", "shape": [0], "values": []}}], "keys": {}},
 {"symbol": "torch.add", "op": "add", "args": [{"tensor": {"dtype": "int64", "shape": [1], "values": [{"float": "nan"}]}}, 3], "keys": {}}]}
JSON
check "calls run, real and fake, whatever one of them does" "$python" - "$root" "$work/calls.json" <<'PY'
import json, subprocess, sys
done = subprocess.run([sys.executable, "-I", "-B", sys.argv[1] + "/py/assay_worker/foretold.py", "run", sys.argv[2]], stdout=subprocess.PIPE, check=True)
add, sort, unpack, unmade = map(json.loads, done.stdout.splitlines())
assert add["real"] == add["fake"] == {"is": "ok", "leaves": [["float32", [2]]]}, add
assert sort["real"]["is"] == "raised" and sort["real"]["type"] == "IndexError", sort
assert unpack["real"]["is"] == "died" and unpack["fake"]["is"] == "ok", unpack
assert unmade["real"]["is"] == unmade["fake"]["is"] == "abstains", unmade
PY
expect "the generator makes programs that the target runs" 0 "3 cases" "$assay" hunt --generator foretell --target torch --cases 3 --pilots 1 --out "$work/hunt"
finish
