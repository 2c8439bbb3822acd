#!/usr/bin/env bash
# The command line as a person meets it: help, wrong words, broken models, exit codes.
. "$(dirname "$0")/lib.sh"

expect "no command shows help" 64 "commands:" "$assay"
expect "help" 0 "usage: assay COMMAND" "$assay" --help
expect "version" 0 "assay 0." "$assay" --version
expect "unknown command names the nearest" 64 'did you mean "hunt"' "$assay" hnut
expect "unknown flag names the nearest" 64 'did you mean --seconds' "$assay" hunt --second 5
expect "value out of range names the range" 64 "from 1 to" "$assay" hunt --seconds 0
expect "flag without value" 64 "a value is expected" "$assay" hunt --seed
expect "wrong choice lists the choices" 64 "auto|always|never" "$assay" ops --color sometimes
for command in $("$assay" --help | sed -n '/^commands:/,/^$/p' | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
    expect "help of $command" 0 "usage: assay $command" "$assay" "$command" --help
done

printf '[hunt]\nsecnods = 5\n' >"$work/assay.toml"
expect "unknown setting names file, line, nearest" 64 'assay.toml:2: unknown setting "hunt.secnods", did you mean "seconds"?' "$assay" ops
printf '[hunt]\nseconds = "x"\n' >"$work/assay.toml"
expect "wrong value in a file" 64 "assay.toml:2" "$assay" ops
printf 'seconds = = 3\n' >"$work/assay.toml"
expect "broken TOML" 64 "assay.toml:1: not TOML" "$assay" ops
rm "$work/assay.toml"
expect "wrong environment variable" 64 "ASSAY_COLOR" env ASSAY_COLOR=x "$assay" ops

"$python" - "$work" <<'PY'
import sys
import onnx
from onnx import TensorProto, helper
out = sys.argv[1]
def save(name, nodes, inputs, outputs, init=(), opset=17):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(init))
    open(f"{out}/{name}.onnx", "wb").write(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8).SerializeToString())
info = lambda name, shape, t=TensorProto.FLOAT: helper.make_tensor_value_info(name, t, shape)
x, y = info("x", [2, 3]), info("y", [2, 3])
save("good", [helper.make_node("Relu", ["x"], ["y"])], [x], [y])
save("cycle", [helper.make_node("Add", ["x", "b"], ["a"]), helper.make_node("Relu", ["a"], ["b"]), helper.make_node("Relu", ["b"], ["y"])], [x], [y])
save("twice", [helper.make_node("Relu", ["x"], ["y"]), helper.make_node("Tanh", ["x"], ["y"])], [x], [y])
save("nothing", [helper.make_node("Relu", ["nowhere"], ["y"])], [x], [y])
save("wrongtype", [helper.make_node("Relu", ["x"], ["y"])], [info("x", [2], TensorProto.BOOL)], [info("y", [2], TensorProto.BOOL)])
save("badattr", [helper.make_node("Relu", ["x"], ["y"], colour=3)], [x], [y])
save("unknown", [helper.make_node("Frobnicate", ["x"], ["y"])], [x], [y])
save("badshape", [helper.make_node("MatMul", ["x", "x"], ["y"])], [x], [y])
t = helper.make_tensor("w", TensorProto.FLOAT, [4], [0.0] * 4)
t.ClearField("float_data"); t.data_location = TensorProto.EXTERNAL
t.external_data.add(key="location", value="../../etc/passwd")
save("escape", [helper.make_node("Add", ["x", "w"], ["y"])], [info("x", [4])], [info("y", [4])], [t])
t.external_data[0].value = "missing.bin"
save("missing", [helper.make_node("Add", ["x", "w"], ["y"])], [info("x", [4])], [info("y", [4])], [t])
data = open(f"{out}/good.onnx", "rb").read()
open(f"{out}/truncated.onnx", "wb").write(data[: len(data) // 2])
open(f"{out}/garbage.onnx", "wb").write(bytes(range(256)) * 10)
open(f"{out}/empty.onnx", "wb").write(b"")
PY

expect "good model" 0 "valid" "$assay" check good.onnx
expect "good model as JSON" 0 '"valid": true' "$assay" check good.onnx --json
expect "missing file" 74 "nofile.onnx" "$assay" check nofile.onnx
expect "folder for a model" 74 "not a regular file" "$assay" check .
for broken in cycle twice nothing wrongtype badattr badshape escape missing truncated garbage empty; do
    expect "$broken is refused with its name" 65 "$broken.onnx" "$assay" check "$broken.onnx"
    expect "$broken is refused by eval" 65 "$broken.onnx" "$assay" eval "$broken.onnx"
done
expect "unknown operator is named and unsupported" 2 "Frobnicate" "$assay" check unknown.onnx
expect "no argument" 64 "one model is expected" "$assay" check
expect "eval prints outputs" 0 "min" "$assay" eval good.onnx
expect "eval writes outputs" 0 "tensors written" "$assay" eval good.onnx --out values
check "npy is readable" "$python" -c "import numpy; assert numpy.load('$work/values/y.npy').shape == (2, 3)"
expect "no campaign" 65 "no campaign there" "$assay" bugs --out "$work/none"
expect "missing engine says what to install" 75 "assay targets add" env ASSAY_HOME="$work/home" "$assay" run good.onnx --target ort
expect "unknown engine names the nearest" 64 "openvino" "$assay" run good.onnx --target openvno
finish
