#!/usr/bin/env bash
# Broken, hostile and foreign models, given to every command that reads one: one message with file and place, the right exit code.
. "$(dirname "$0")/lib.sh"

"$python" - "$work" <<'PY'
import os
import sys
import onnx
from onnx import TensorProto, helper
out = sys.argv[1]
def put(name, data):
    open(f"{out}/{name}.onnx", "wb").write(data)
def info(name, kind=TensorProto.FLOAT, shape=(2,)):
    return helper.make_tensor_value_info(name, kind, shape)
def save(name, nodes, inputs, outputs, init=(), opsets=(("", 17),)):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(init))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid(*o) for o in opsets], ir_version=8)
    put(name, model.SerializeToString())
    return model.SerializeToString()
def external(name, location):
    t = TensorProto(name="w", data_type=1, dims=[2], data_location=TensorProto.EXTERNAL)
    for key, value in (("location", location), ("offset", "0"), ("length", "8")):
        t.external_data.add(key=key, value=value)
    save(name, [helper.make_node("Add", ["x", "w"], ["y"], name="n1")], [info("x")], [info("y")], [t])
def field(number, body):
    n, size = len(body), b""
    while n > 127:
        size += bytes([n & 127 | 128])
        n >>= 7
    return bytes([number << 3 | 2]) + size + bytes([n]) + body
relu = [helper.make_node("Relu", ["x"], ["y"], name="n1")]
good = save("good", relu, [info("x")], [info("y")])
put("empty", b"")
put("text", b"this is a text file, not a model\n" * 10)
put("truncated", good[: len(good) // 2])
put("length", b"\x08\x08\x3a\xff\xff\xff\xff\x0fabc")
nested = b""
for _ in range(3000):
    nested = field(1, field(5, field(6, nested)))
put("nested", b"\x08\x08" + field(7, nested))
save("cyclic", [helper.make_node("Add", ["x", "b"], ["a"], name="n1"), helper.make_node("Relu", ["a"], ["b"], name="n2")], [info("x")], [info("b")])
save("twice", [helper.make_node("Relu", ["x"], ["y"], name="n1"), helper.make_node("Abs", ["x"], ["y"], name="n2")], [info("x")], [info("y")])
save("type", [helper.make_node("And", ["x", "x"], ["y"], name="n1")], [info("x")], [info("y")])
save("shape", [helper.make_node("MatMul", ["x", "x"], ["y"], name="n1")], [info("x", shape=(2, 3))], [info("y", shape=None)])
save("operator", [helper.make_node("Frobnicate", ["x"], ["y"], name="n1")], [info("x")], [info("y")])
save("domain", [helper.make_node("Frob", ["x"], ["y"], name="n1", domain="com.acme")], [info("x")], [info("y")], opsets=(("", 17), ("com.acme", 1)))
save("opset", relu, [info("x")], [info("y")], opsets=(("", 99),))
for name, location in (("missing", "gone.bin"), ("escape", "../../../etc/passwd"), ("absolute", "/dev/zero"), ("short", "short.bin"), ("link", "link.bin")):
    external(name, location)
two = [helper.make_node("Relu", ["x"], ["a"], name="n1"), helper.make_node("Relu", ["a"], ["y"], name="n2")]
save("unsorted", two[::-1], [info("x")], [info("y")])
two[1].name = "n1"
save("namesake", two, [info("x")], [info("y")])
put("unknown", good + field(15, b"z") * 70000)
open(f"{out}/short.bin", "wb").write(b"1234")
os.symlink("/etc/passwd", f"{out}/link.bin")
save("huge", [helper.make_node("Add", ["x", "w"], ["y"], name="n1")], [info("x")], [info("y", shape=None)], [TensorProto(name="w", data_type=1, dims=[1 << 40])])
save("countless", relu, [info("x", shape=(1 << 40, 1 << 40, 9))], [info("y", shape=None)])
name = "../../x/y\n\x1b[31m"
save("hostile", [helper.make_node("Relu", ["x"], [name], name="n1")], [info("x")], [info(name)])
save("hostile_bad", [helper.make_node("MatMul", ["x", "x"], ["y"], name="n\n\x1b[31m")], [info("x", shape=(2, 3))], [info("y", shape=None)])
os.mkdir(f"{out}/folder.onnx")
os.symlink("/dev/zero", f"{out}/device.onnx")
with open(f"{out}/sparse.onnx", "wb") as f:
    f.truncate(3 << 30)
PY

need_engines ort
rows='
empty     65 empty.onnx: no graph
text      65 text.onnx: an unknown wire type: the bytes are no ONNX model
truncated 65 truncated.onnx: a field is longer than what holds it (file cut off?), at byte 2
length    65 length.onnx: a field is longer than what holds it (file cut off?), at byte 2
nested    65 messages are nested more than 200 deep
cyclic    65 depends on itself: a cycle
twice     65 is produced twice, the second time by node
unsorted  65 (Relu) comes before a node whose result it reads: the nodes of a graph must be topologically sorted
namesake  65 (Relu): another node of its graph has the same name
unknown   65 more than 65,536 fields that no ONNX message has
type      65 (And): input A is float, which the operator does not take
shape     65 (MatMul): inner dims 3 and 2 differ
operator  2  (Frobnicate): the operator is not supported
domain    2  (com.acme.Frob): the operator is not supported
opset     2  opset 99 of the default domain; 7 to 28 are read
missing   65 missing.onnx: graph: initializer[0]: external data
escape    65 lies outside the model
absolute  65 lies outside the model
short     65 bytes 0 to 8 of a file of 4
link      65 is a link out of the model
huge      65 the tensor exceeds
countless 65 would have 2^63 elements or more
folder    65 folder.onnx: is a folder, pipe, socket or device
device    65 device.onnx: is a folder, pipe, socket or device
sparse    65 sparse.onnx: 3221225472 bytes, at most
absent    65 absent.onnx
'
while read -r name code piece; do
    [ -n "$name" ] || continue
    expect "check: $name" "$code" "$piece" "$assay" check "$name.onnx"
    expect "eval: $name" "$code" "$piece" "$assay" eval "$name.onnx"
    expect "mutate: $name" "$code" "$piece" "$assay" mutate "$name.onnx" -n 1 --out mutants
    expect "run: $name" "$code" "$piece" "$assay" run "$name.onnx" --target ort
done <<<"$rows"

# Names from a file are shown with control characters escaped.
expect "check: a hostile name is escaped" 0 '../../x/y\n\x1b[31m float' "$assay" check hostile.onnx
expect "eval: a hostile name is escaped" 0 '../../x/y\n\x1b[31m' "$assay" eval hostile.onnx
expect "run: a hostile name is escaped" 0 'pass' "$assay" run hostile.onnx --target ort
for command in "check hostile.onnx" "eval hostile.onnx" "run hostile.onnx --target ort" "check hostile_bad.onnx" "eval hostile_bad.onnx"; do
    check "no escape reaches the terminal: $command" bash -c "cd '$work' && ! '$assay' $command 2>&1 | grep -q \$'\x1b'"
done

# A seed that is too large is not the end of the way.
"$python" - "$work/large.onnx" <<'PY'
import sys, onnx
from onnx import TensorProto as T, helper as h
v = lambda name, dims: h.make_tensor_value_info(name, T.FLOAT, dims)
wide = h.make_tensor("shape", T.INT64, [2], [20000, 5000])
graph = h.make_graph([h.make_node("Expand", ["x", "shape"], ["y"])], "g", [v("x", [1, 1])], [v("y", [20000, 5000])], [wide])
onnx.save(h.make_model(graph, opset_imports=[h.make_opsetid("", 17)], ir_version=8), sys.argv[1])
PY
expect "hunt: a seed that is too large" 65 "assay cut MODEL --at NODE" "$assay" hunt --model large.onnx --cases 3 --out large

# A seed that the reference cannot evaluate is left out, named and counted; the others are hunted.
expect "hunt: an unsupported seed is left out" 0 "operator.onnx is left out" "$assay" hunt --model good.onnx,operator.onnx --cases 3 --fail-on never --out skips
expect "hunt: and named" 0 "(Frobnicate): the operator is not supported" "$assay" hunt --model good.onnx,operator.onnx --cases 3 --fail-on never --out skips2
expect "hunt: and counted" 0 '"models_skipped":1' "$assay" hunt --model good.onnx,operator.onnx --cases 3 --fail-on never --out skips3 --json
expect "hunt: none left" 2 "(Frobnicate): the operator is not supported" "$assay" hunt --model operator.onnx --cases 3 --out skips4
expect "mutate: an unsupported seed is left out" 0 "operator.onnx is left out" "$assay" mutate good.onnx operator.onnx -n 1 --out mutants2

for broken in text cyclic missing; do
    mkdir -p "$work/cases/$broken/test_data_set_0" && cp "$work/$broken.onnx" "$work/cases/$broken/model.onnx"
done
mkdir -p "$work/foreign/case/test_data_set_0" && cp "$work/opset.onnx" "$work/foreign/case/model.onnx"
expect "conform: broken cases fail, each with its reason" 1 "3 failed" "$assay" conform cases
expect "conform: and name the file" 1 "cases/text/model.onnx: an unknown wire type" "$assay" conform cases
expect "conform: what is not supported is counted" 2 "0 passed, 0 failed, 1 unsupported" "$assay" conform foreign
expect "conform: a file for a folder" 65 "a folder with model.onnx" "$assay" conform good.onnx
expect "conform: a folder without cases" 65 "no case there" "$assay" conform folder.onnx
expect "conform: no folder" 65 "absent" "$assay" conform absent
finish
