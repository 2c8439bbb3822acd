#!/usr/bin/env bash
# The command line as users see it: help, misspelt words, broken models, exit codes.
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
printf 'seeed = 3\n' >"$work/assay.toml"
expect "a setting of another section is named" 64 'did you mean "seed" of [hunt]?' "$assay" ops
printf '[huntt]\nseed = 3\n' >"$work/assay.toml"
expect "unknown table names the nearest" 64 'unknown table "huntt", did you mean "hunt"?' "$assay" ops
printf 'seconds = = 3\n' >"$work/assay.toml"
expect "broken TOML" 64 "assay.toml:1: not TOML" "$assay" ops
rm "$work/assay.toml"
expect "reach of an operator" 0 "weight edge" "$assay" ops Conv --reach -n 50
expect "reach of no campaign" 65 "no campaign there" "$assay" ops --reach --out "$work/nowhere"
expect "reach of an operator that is none" 64 'did you mean "Conv"?' "$assay" ops Conw --reach
expect "wrong environment variable" 64 "ASSAY_COLOR" env ASSAY_COLOR=x "$assay" ops
expect "unknown environment variable names the nearest" 64 "did you mean ASSAY_HUNT_SEED?" env ASSAY_SEEED=3 "$assay" ops
expect "a variable without its section" 64 "did you mean ASSAY_HUNT_SEED?" env ASSAY_SEED=3 "$assay" ops
expect "a variable near to none is told" 0 "ASSAY_ZEBRA is no setting" env ASSAY_ZEBRA=3 "$assay" ops Conv

# Names given by flags are checked before anything is started, and the nearest known name is suggested.
while read -r flag value piece; do
    expect "$flag $value" 64 "$piece" "$assay" hunt "$flag" "$value" --cases 1 --out "$work/never"
done <<'ROWS'
--operator n7 no mutation operator "n7", did you mean "N7"?
--generator foo no generator "foo"; known are mutate, corpus
--strategy foo no strategy "foo"; known are assay, random
--strategy rnadom did you mean "random"?
--oracle foo --oracle: no oracle "foo"; known are crash
--model lnet5 did you mean "lenet5"?
--target nosuch no engine is called "nosuch"
ROWS
expect "shares alone" 64 "--target: no target runs every case" "$assay" hunt --target ort/off:2,ort/all:4 --cases 1 --out "$work/never"
expect "an empty list" 64 "--target: the list is empty" "$assay" hunt --target= --cases 1
check "nothing was started" test ! -e "$work/never"
expect "operators with their dtypes and attributes" 0 "attributes auto_pad dilations" "$assay" ops Conv
expect "an unknown operator names the nearest" 64 'did you mean "Relu"?' "$assay" ops Reul
expect "the exit codes are listed" 0 "143       stopped by SIGTERM" "$assay" --help

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
import os
import numpy
from onnx import numpy_helper
for folder, factor in (("node", 1), ("lines", 2)):  # the outputs of "lines" are wrong
    os.mkdir(f"{out}/{folder}")
    open(f"{out}/{folder}/model.onnx", "wb").write(data)
    for i in range(2):
        os.mkdir(f"{out}/{folder}/test_data_set_{i}")
        value = numpy.full((2, 3), i + 0.5, dtype=numpy.float32)
        for kind, tensor, name in (("input", value, "x"), ("output", value * factor, "y")):
            open(f"{out}/{folder}/test_data_set_{i}/{kind}_0.pb", "wb").write(numpy_helper.from_array(tensor, name).SerializeToString())
sized = helper.make_tensor_value_info("x", 1, ["N", 3])
result = helper.make_tensor_value_info("y", 1, ["N", 3])
for name, node, domains in (
    ("sized", helper.make_node("Relu", ["x"], ["y"]), [("", 18)]),
    ("custom", helper.make_node("FastGelu", ["x"], ["y"], domain="com.microsoft"), [("", 18), ("com.microsoft", 1)]),
):
    graph = helper.make_graph([node], name, [sized], [result])
    open(f"{out}/{name}.onnx", "wb").write(helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid(*d) for d in domains]).SerializeToString())
three = [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("FastGelu", ["a"], ["b"], domain="com.microsoft"), helper.make_node("Relu", ["b"], ["y"], name="last")]
graph = helper.make_graph(three, "custom3", [sized], [result])
domains = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
open(f"{out}/custom3.onnx", "wb").write(helper.make_model(graph, ir_version=9, opset_imports=domains).SerializeToString())
open(f"{out}/truncated.onnx", "wb").write(data[: len(data) // 2])
open(f"{out}/garbage.onnx", "wb").write(bytes(range(256)) * 10)
open(f"{out}/empty.onnx", "wb").write(b"")
PY

expect "good model" 0 "valid" "$assay" check good.onnx
expect "good model as JSON" 0 '"valid": true' "$assay" check good.onnx --json
expect "missing file" 65 "nofile.onnx" "$assay" check nofile.onnx
expect "folder for a model" 65 "a file is expected" "$assay" check .
for broken in cycle twice nothing wrongtype badattr badshape escape missing truncated garbage empty; do
    expect "$broken is refused with its name" 65 "$broken.onnx" "$assay" check "$broken.onnx"
    expect "$broken is refused by eval" 65 "$broken.onnx" "$assay" eval "$broken.onnx"
done
expect "unknown operator is named and unsupported" 2 "Frobnicate" "$assay" check unknown.onnx
expect "no argument" 64 "one model is expected" "$assay" check
expect "eval prints outputs" 0 "min" "$assay" eval good.onnx
expect "eval writes outputs" 0 "1 tensor written" "$assay" eval good.onnx --out values
check "npy is readable" "$python" -c "import numpy; assert numpy.load('$work/values/y.npy').shape == (2, 3)"
expect "no campaign" 65 "no campaign there" "$assay" bugs --out "$work/none"
expect "missing engine says what to install" 75 "assay targets add" env ASSAY_HOME="$work/home" "$assay" run good.onnx --target ort
expect "unknown engine names the nearest" 64 "openvino" "$assay" run good.onnx --target openvno

need_engines ort
expect "run phrases oracles alike" 64 '--oracle: no oracle "foo"; known are crash' "$assay" run good.onnx --oracle foo --target ort
# A full disk is an error for every command that prints.
for command in "ops" "--help" "man hunt" "check good.onnx" "eval good.onnx --json" "hunt --cases 2 --json --out full --target ort"; do
    expect "full disk: $command" 75 "No space left on device" bash -c "'$assay' $command >/dev/full"
done

# Every command of commands.def prints JSON with --json, on success and on failure.
check "json of every command" "$python" "$root/tests/e2e/cli_json.py" "$assay" "$root" "$work"

# After a signal a hunt exits with the signal's own code, and its last line says how to continue.
cat >"$work/stop.sh" <<'SH'
"$1" hunt --seconds 100 --out "$2" --target ort --json >"$2.json" 2>&1 &
until grep -q tick "$2.json" 2>/dev/null; do sleep 0.1; done
kill -"$3" $!
wait $!
SH
expect "SIGTERM" 143 "" bash "$work/stop.sh" "$assay" "$work/term" TERM
check "the last event says why" grep -q '"event":"end","reason":"interrupted"' "$work/term.json"

# The layout of a node test: a folder with several data sets.
expect "run: every data set" 0 "inputs 1" "$assay" run good.onnx --input node --target ort
expect "eval: every data set" 0 "inputs 1" "$assay" eval good.onnx --input node
expect "conform: one line each" 1 "1 failed" "$assay" conform lines --target ort
check "conform: and no more" bash -c "cd '$work' && [ \$('$assay' conform lines --target ort | wc -l) = 2 ]"
expect "run says that it runs twice" 0 "run 2" "$assay" run good.onnx --target ort
expect "run: a summary first, with the sizes" 0 "input x float [N,3] as [2,3]" "$assay" run sized.onnx --target ort
expect "run: a line for each target" 0 "/all  agrees" "$assay" run sized.onnx --target ort
expect "run: what the reference lacks is compared between modes" 0 "off  agrees with ort@" "$assay" run custom.onnx --target ort
expect "run: and says so" 0 "no reference values (node 0 (com.microsoft.FastGelu)" "$assay" run custom.onnx --target ort
expect "reduce: a model that is right" 65 "does not fail in the named targets" "$assay" reduce sized.onnx --target ort
check "reduce: nothing is left behind" test ! -e "$work/sized-reduced"
expect "reduce: a path that is not there" 65 "absent.onnx: cannot open: No such file" "$assay" reduce absent.onnx --target ort
expect "cut: a part with recorded inputs" 0 "-> 1: part" "$assay" cut "$root/defects/003-ort-double-qdq-rescaled/model.onnx" --at "#2" --depth 0 --out part
expect "cut: which run takes" 0 "agrees" "$assay" run part --target ort
expect "cut: around what the reference lacks" 0 "1 of 1 inputs got values of the seed" "$assay" cut custom3.onnx --at "#1" --depth 0 --out part3
expect "cut: which run takes too" 0 "off  agrees with ort@" "$assay" run part3 --target ort
expect "cut: behind it nothing is known" 65 "value b would become an input, and its dtype and rank are not known" "$assay" cut custom3.onnx --at last --depth 0
expect "cut: no such node" 64 "no node is named nope" "$assay" cut good.onnx --at nope
expect "cut: which node" 64 "--at NODE is expected" "$assay" cut good.onnx
wrong=$root/defects/004-ort-transpose-matmul-vector
expect "run: the first bad node" 1 "first bad Transpose+MatMul (node MatMul_3)" "$assay" run "$wrong/model.onnx" --target ort
expect "run: what leads on" 1 "assay reduce $wrong/model.onnx --target ort " "$assay" run "$wrong/model.onnx" --target ort
expect "run: several cases, each under its name" 1 "== $wrong" "$assay" run good.onnx "$wrong" sized.onnx --target ort
check "run: a list of them comes last" diff <(cd "$work" && "$assay" run good.onnx "$wrong" sized.onnx --target ort | sed '1,/^cases:$/d') \
    <(printf '  %-12s  %s\n' agrees good.onnx fails "$wrong" agrees sized.onnx)
check "run: one JSON object for each" test "$(cd "$work" && "$assay" run good.onnx "$wrong" --target ort --json | "$python" -c '
import json, sys
text, at, paths = sys.stdin.read().strip(), 0, []
while at < len(text):
    told, at = json.JSONDecoder().raw_decode(text, at)
    at += len(text[at:]) - len(text[at:].lstrip())
    paths.append(told["path"])
print(*paths)')" = "good.onnx $wrong"
expect "run: nothing runs if one cannot be read" 65 "absent.onnx: cannot open" "$assay" run good.onnx absent.onnx --target ort
expect "run: inputs of one model" 64 "--input and --save go with one model, got 2 arguments" "$assay" run good.onnx sized.onnx --input node
expect "run: programs and models in two commands" 64 "programs run as their user" "$assay" run good.onnx good.py
expect "reduce: a user's model becomes a campaign" 0 "2 nodes -> 2 after" "$assay" reduce "$wrong/model.onnx" --target ort --out own
expect "reduce: bugs reads it" 0 "MatmulTransposeFusion" "$assay" bugs --out own
expect "reduce: replay reads it" 1 "the same" bash -c "'$assay' replay \$('$assay' bugs --out own --json | '$python' -c 'import json, sys; print(json.load(sys.stdin)[0][\"id\"])') --out own"
expect "reduce: the campaign is not overwritten" 64 "holds a campaign already" "$assay" reduce "$wrong" --target ort --out own
expect "reduce: a bug goes to a campaign of its own" 0 '"nodes": 2' bash -c "'$assay' reduce Transpose --out own --json"
check "reduce: with its report" bash -c "ls '$work'/own/reduced/*/artifacts/*/*/reproduce.py"
expect "a verdict of both runs stands once" 0 "pass  (2 times)" "$assay" run good.onnx --target ort

expect "mutate names the operators" 0 "N" "$assay" mutate lenet5 -n 2 --seed 1 --out mutants
check "mutate: each line has an operator's name" bash -c "cd '$work' && '$assay' mutate lenet5 -n 2 --seed 1 --out mutants | grep -qE '^mutants/000000  N?[A-Z0-9a-z]+ [a-z-]+'"
expect "mutate: other cases are not overwritten" 64 "something else is there already" "$assay" mutate lenet5 -n 2 --seed 2 --out mutants
expect "mutate: none is said, with the reason" 2 "none of --operator applies" "$assay" mutate lenet5 --operator LS -n 2 --out none-fits
expect "doctor: three states" 0 "on       machine" bash -c "'$assay' doctor || true"
expect "doctor: the compiler" 0 "compiler" bash -c "'$assay' doctor || true"
check "doctor: what is off is not called on" bash -c "! '$assay' doctor --sandbox | grep -qE '^on .* (off|not covered)'"
# A bug of another engine than ONNX Runtime (defect 029) is replayed in the targets of its campaign.
need_engines openvino
expect "a short hunt finds it" 1 "done: 4 cases" "$assay" hunt --target openvino --model op:ReduceL1 --cases 4 --seed 1 --out "$work/replay"
expect "a bug replays in its campaign's targets" 1 "confirmed: failed 12 of 12" "$assay" replay c503f12e14 --out "$work/replay"
expect "or in those asked for" 0 "not reproduced" "$assay" replay c503f12e14 --out "$work/replay" --target ort
expect "a case in those asked for" 1 "confirmed: failed 12 of 12" "$assay" replay "$(ls -d "$work"/replay/artifacts/*/*/ | head -1)" --target openvino
expect "of no such engine" 64 'did you mean "openvino"' "$assay" replay c503f12e14 --out "$work/replay" --target openvin

finish
