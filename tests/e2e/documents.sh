#!/usr/bin/env bash
# Documents as tests: planted errors of documents are found and classified, right documents are not reported; judged defects still show;
# predictions are made.
. "$(dirname "$0")/lib.sh"
need_engines torch onnx-version-converter

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

# Records with planted errors, checked like an installed framework's: each is reported in its class, right documents are not.
mkdir -p "$work/planted"
"$python" - "$work/planted/records.jsonl" <<'PY'
import json, sys
planted = {
    "torch.abs": ">>> a = torch.tensor([-1.0, 2.0])\n>>> torch.abs(a)\ntensor([1., 2.])",
    "torch.neg": ">>> torch.neg(torch.tensor([1.0, 2.0]))\ntensor([-1., 2.])",
    "torch.sum": ">>> torch.sum(torch.tensor([1, 2]))\ntensor([3])",
    "torch.prod": ">>> torch.prod(torch.tensor([1, 2]))\ntensor(2.)",
    "torch.sort": ">>> torch.sort(torch.tensor([2, 1]), dim=3)\n",
    "torch.exp": ">>> a = torch.randn(2)\n>>> a\ntensor([0.0000, 1.0000])\n>>> torch.exp(a)\ntensor([1.0000, 2.7183])",
    "torch.log": ">>> a = torch.rand(2)\n>>> a\ntensor([1.0000, 0.5000])\n>>> torch.log(a)\ntensor([1.0000, -0.6931])",
    "torch.rand": ">>> torch.rand(2)\ntensor([0.1234, 0.5678])",
    "torch.empty": ">>> torch.empty(3)\ntensor([1., 2., 3.])",
    "torch.zeros": ">>> zeros_of_mine(3)\ntensor([0., 0., 0.])",
    "torch.ones": ">>> torch.ones(2).cuda()\ntensor([1., 1.])",
    "torch.cumsum": "cumsum(input, dim, *, dtype=None, alpha=2) -> Tensor",
    "torch.diff": "diff(values, n=1) -> Tensor",
}
schemas = {"torch.cumsum": "aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None, Scalar alpha=1) -> Tensor", "torch.diff": "aten::diff(Tensor self, int n=1) -> Tensor"}
with open(sys.argv[1], "w") as out:
    print(json.dumps({"framework": "torch", "version": "planted", "n_symbols": len(planted), "left_out": {}}), file=out)
    for name, doc in planted.items():
        print(json.dumps({"name": name, "names": [name], "op": name[6:], "kind": "function", "signature": None, "schemas": [schemas[name]] if name in schemas else [], "doc": doc, "file": "", "line": 0}), file=out)
PY
check "planted documents are found, right ones are not" "$python" - "$assay" "$work/planted" <<'PY'
import json, pathlib, subprocess, sys
done = subprocess.run([sys.argv[1], "docs", "check", "torch", "--out", sys.argv[2], "--json"], stdout=subprocess.PIPE)
assert done.returncode == 1, done.returncode
told = json.loads(done.stdout)
found = {f["api"]: f["kind"] for f in told["findings"]}
assert found == {"torch.neg": "value", "torch.sum": "shape", "torch.prod": "dtype", "torch.sort": "raises", "torch.log": "value"}, found
assert [(f["api"], f["parameter"], f["documented"], f["actual"]) for f in told["defaults"]] == [("torch.cumsum", "alpha", "2", "1")], told["defaults"]
assert [(f["api"], f["parameter"]) for f in told["names"]] == [("torch.diff", "values")], told["names"]
assert told["skipped"] == {"needs a device": 1} and told["stale"] == 1, told
for finding in told["findings"]:
    script = pathlib.Path(sys.argv[2], "scripts", finding["script"])
    ran = subprocess.run([sys.executable, script], stdout=subprocess.PIPE)
    assert ran.returncode == 1, (script, ran)
PY

# An operator of the standard with a right example, a wrong one and a wrong default.
mkdir -p "$work/operator"
"$python" - "$work/operator/records.jsonl" <<'PY'
import json, sys
doc = "```\ndata = [[1, 2], [3, 4]]\nindices = [1]\noutput = [[3, 4]]\naxis = 1\noutput = [[2], [5]]\n```\n"
schemas = ["input data: T Single", "input indices: Tind Single", "output output: T Single", "attribute axis: INT=0",
           "type T: tensor(float), tensor(int64)", "type Tind: tensor(int64)"]
with open(sys.argv[1], "w") as out:
    print(json.dumps({"framework": "onnx", "version": "planted", "n_symbols": 1, "left_out": {}}), file=out)
    print(json.dumps({"name": "ai.onnx.Gather", "names": ["ai.onnx.Gather"], "op": "gather", "kind": "operator", "signature": None,
                      "schemas": schemas, "texts": {"axis": "Which axis. Default is 1."}, "doc": doc, "file": "", "line": 0}), file=out)
PY
check "planted examples of an operator are found" "$python" - "$assay" "$work/operator" <<'PY'
import json, pathlib, subprocess, sys
done = subprocess.run([sys.argv[1], "docs", "check", "onnx", "--out", sys.argv[2], "--json"], stdout=subprocess.PIPE)
assert done.returncode == 1, done.returncode
told = json.loads(done.stdout)
assert [(f["kind"], f["line"], f["documented"]) for f in told["findings"]] == [("value", 6, "array([[2], [5]])")], told["findings"]
assert told["equal"] == 1 and told["defaults_compared"] == 1, told
assert [(f["parameter"], f["documented"], f["actual"]) for f in told["defaults"]] == [("axis", "1", "0")], told["defaults"]
script = pathlib.Path(sys.argv[2], "scripts", told["findings"][0]["script"])
assert subprocess.run([sys.executable, script], stdout=subprocess.PIPE).returncode == 1
PY

cat >"$work/snippets.json" <<'JSON'
{"seconds": 3, "names": ["torch.add", "torch.nn.ELU", "torch.Tensor.abs"], "snippets": [
 {"id": "all", "code": "import torch\na = torch.add(torch.ones(2), 1)\ntorch.nn.ELU(0.5)(a).abs()\ntorch.add(object(), 1)\n"},
 {"id": "dies", "code": "import os, torch\ntorch.add(1, 2)\nos.abort()\n"},
 {"id": "hangs", "code": "while True:\n    pass\n"},
 {"id": "no Python", "code": "for"}]}
JSON
check "calls of snippets are noted, whatever a snippet does" "$python" - "$root" "$work/snippets.json" <<'PY'
import json, subprocess, sys
done = subprocess.run([sys.executable, "-I", "-B", sys.argv[1] + "/py/assay_worker/foretold_snippets.py", "torch", sys.argv[2]], stdout=subprocess.PIPE, check=True)
rows = [json.loads(line) for line in done.stdout.splitlines()]
told = {r["id"]: (r["end"], [c["symbol"] for c in r["calls"]], r["unreadable"]) for r in rows}
assert told == {"all": ("raised TypeError", ["torch.add", "torch.nn.ELU", "torch.Tensor.abs"], 1), "dies": ("signal 6", ["torch.add"], 0),
                "hangs": ("timeout", [], 0), "no Python": ("raised SyntaxError", [], 0)}, told
elu = rows[0]["calls"][1]
assert elu["make"] == 1 and elu["args"][0] == 0.5 and elu["args"][1]["tensor"]["values"] == [2.0, 2.0], elu
PY
mkdir -p "$work/corpus" && cp "$ASSAY_HOME"/docs/torch@*/records.jsonl "$work/corpus"
expect "an issue's calls are predicted" 0 "4 ran: 1 raised, 0 died" "$assay" docs foretell torch --corpus "#185885" --out "$work/corpus"
expect "an unknown issue" 64 "no issue" "$assay" docs foretell torch --corpus "#0" --out "$work/corpus"

cat >"$work/calls.json" <<'JSON'
{"calls": [
 {"symbol": "torch.add", "op": "add", "args": [{"tensor": {"dtype": "float32", "shape": [2], "values": [1.0, 2.0]}}, 3], "keys": {"alpha": 2}},
 {"symbol": "torch.sort", "op": "sort", "args": [{"tensor": {"dtype": "float32", "shape": [2], "values": [1.0, 2.0]}}], "keys": {"dim": 9}},
 {"symbol": "torch.lu_unpack", "op": "luunpack", "args": [{"tensor": {"dtype": "float32", "shape": [1, 1], "values": [1.0]}}, {"tensor": {"dtype": "int32", "shape": [0], "values": []}}], "keys": {}},
 {"symbol": "torch.add", "op": "add", "args": [{"tensor": {"dtype": "int64", "shape": [1], "values": [{"float": "nan"}]}}, 3], "keys": {}},
 {"symbol": "torch.addbmm", "op": "addbmm", "args": [{"tensor": {"dtype": "float32", "shape": [2], "values": [1.0, 1.0]}}, {"tensor": {"dtype": "float32", "shape": [1, 1, 1], "values": [1.0]}}, {"tensor": {"dtype": "float32", "shape": [1, 1, 3], "values": [1.0, 1.0, 1.0]}}], "keys": {"beta": 0}}]}
JSON
check "calls run, real and fake, whatever one of them does" "$python" - "$root" "$work/calls.json" <<'PY'
import json, subprocess, sys
done = subprocess.run([sys.executable, "-I", "-B", sys.argv[1] + "/py/assay_worker/foretold.py", "run", "torch", sys.argv[2]], stdout=subprocess.PIPE, check=True)
add, sort, unpack, unmade, addbmm = map(json.loads, done.stdout.splitlines())
assert add["fake"].pop("kernels") == [["add", "float32"]], add
assert add["real"] == add["fake"] == {"is": "ok", "leaves": [["float32", [2]]]}, add
assert sort["real"]["is"] == "raised" and sort["real"]["type"] == "IndexError", sort
assert unpack["real"]["is"] == "died" and unpack["fake"]["is"] == "ok", unpack
assert unmade["real"]["is"] == unmade["fake"]["is"] == "abstains", unmade
# The paper's example: with beta = 0 the content of input is ignored, as the document now says, but not its size.
assert addbmm["real"]["is"] == "raised" and addbmm["fake"]["is"] == "raised", addbmm
PY
expect "the generator makes programs that the target runs" 0 "3 cases" "$assay" hunt --generator foretell --target torch --cases 3 --pilots 1 --out "$work/hunt"
finish
