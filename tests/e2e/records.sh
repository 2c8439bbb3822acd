#!/usr/bin/env bash
# The dump of a framework's public API has one record per symbol, with its aliases, and the same bytes each time.
. "$(dirname "$0")/lib.sh"

records() { "$python" -I -B "$root/py/assay_worker/records.py" "$@"; }
export -f records
export python root

expect "an unknown framework is named" 64 "torch" records mxnet
for framework in torch numpy onnx; do
    records $framework >"$work/$framework.jsonl" 2>/dev/null
    check "$framework twice: the same bytes" bash -c "records $framework 2>/dev/null | cmp - '$work/$framework.jsonl'"
done
check "each symbol once, with what is known of it" "$python" - "$work" <<'PY'
import json, sys
def load(name):
    head, *rows = map(json.loads, open(f"{sys.argv[1]}/{name}.jsonl"))
    assert head["framework"] == name and head["n_symbols"] == len(rows) > 100, head
    names = [n for r in rows for n in r["names"]]
    assert len(names) == len(set(names)), "a name stands for two symbols"
    assert all(r["name"] == r["names"][0] for r in rows)
    return {n: r for r in rows for n in r["names"]}
torch = load("torch")
add, add_ = torch["torch.add"], torch["torch.Tensor.add_"]
assert add["op"] == add_["op"] == load("numpy")["numpy.add"]["op"] == "add"
assert add["kind"] == "function" and add_["kind"] == "method" and add_["names"] == ["torch.Tensor.add_"]
assert any(s.startswith("aten::add.Tensor(") for s in add["schemas"]), add["schemas"]
assert ">>> torch.add(" in add["doc"]
relu = torch["torch.nn.ReLU"]
assert "torch.nn.modules.activation.ReLU" in relu["names"] and relu["file"] == "torch/nn/modules/activation.py"
assert relu["signature"]["parameters"][0] == {"name": "inplace", "kind": "POSITIONAL_OR_KEYWORD", "annotation": "bool", "default": "False"}
assert torch["torch.nn.functional.relu6"]["line"] > 0 and "torch.functional.F.relu6" not in torch
assert not any("._" in n or n.startswith("torch.ops.") for n in torch), "private names"
onnx = load("onnx")
assert onnx["ai.onnx.Relu"]["kind"] == "operator" and any(s.startswith("type T:") for s in onnx["ai.onnx.Relu"]["schemas"])
PY
finish
