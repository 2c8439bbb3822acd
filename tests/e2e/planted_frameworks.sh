#!/usr/bin/env bash
# Faults planted in frameworks: a wrong operator, a wrong compiler, a wrong exporter, a stale cache, a wrong save, a wrong
# gradient, a leak. Each is found in the modes that have it and in no other, and nothing is found without a fault.
. "$(dirname "$0")/lib.sh"
need_engines ort torch torch-onnx

# y = tanh(x @ w), with two sets of inputs: a stale cache returns the first set's result for the second.
"$python" - "$work/model" <<'PY'
import os, sys
import numpy as np
from onnx import TensorProto, helper, numpy_helper, save
w = numpy_helper.from_array(np.linspace(-1, 1, 6, dtype=np.float32).reshape(3, 2), "w")
nodes = [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Tanh", ["h"], ["y"])]
values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in (("x", [2, 3]), ("y", [2, 2]))]
os.makedirs(sys.argv[1])
save(helper.make_model(helper.make_graph(nodes, "g", values[:1], values[1:], [w]), opset_imports=[helper.make_opsetid("", 17)], ir_version=8), f"{sys.argv[1]}/model.onnx")
for k in range(2):
    os.makedirs(f"{sys.argv[1]}/test_data_set_{k}")
    x = numpy_helper.from_array(np.linspace(-1, 1 + k, 6, dtype=np.float32).reshape(2, 3), "x")
    open(f"{sys.argv[1]}/test_data_set_{k}/input_0.pb", "wb").write(x.SerializeToString())
PY

# run_planted FRAMEWORK FAULT MODES: what the model does in the modes, in $work/told.json.
run_planted() { # FRAMEWORK FAULT MODES
    plant "$1" "$2" >"$work/plant.log" 2>&1 || { cat "$work/plant.log"; return 1; }
    ASSAY_HOME=$work/$1-$2 "$assay" run "$work/model/model.onnx" --input "$work/model" --target "$3" --json >"$work/told.json" 2>"$work/told.err"
    return 0 # a finding is no error here
}

# found FRAMEWORK FAULT MODES: checks which modes' verdicts fail, in order: "export"; "-": none.
found() { # FRAMEWORK FAULT MODES
    run_planted "$@" || return
    "$python" - "$work/told.json" <<'PY'
import json, sys
told = json.load(open(sys.argv[1]))
assert len({o["input_set"] for o in told["observations"]}) == 2, "two sets of inputs"
assert all(o["outcome"] == "ok" for o in told["observations"]), told["observations"]
failed = {v["target"]["mode"]: v for v in told["verdicts"] if v["decision"] == "fail"}
print("found:", *(sorted(failed) or ["-"]))
PY
}

# leaks FRAMEWORK FAULT MODES: checks in which modes memory is told to grow, in order; "-": in none.
leaks() { # FRAMEWORK FAULT MODES
    run_planted "$@" || return
    "$python" - "$work/told.json" <<'PY'
import json, sys
told = json.load(open(sys.argv[1]))
failed = [v for v in told["verdicts"] if v["decision"] == "fail"]
assert told["observations"] and all("memory grows by" in v["claim"] for v in failed), failed
print("leaks:", *(sorted({v["target"]["mode"] for v in failed}) or ["-"]))
PY
}

# named FAULT: reduces the model in torch with a fault in inductor; prints the mode and the pass that the report names.
named() { # FAULT
    plant torch "$1" >"$work/plant.log" 2>&1 || { cat "$work/plant.log"; return 1; }
    export ASSAY_HOME=$work/torch-$1
    "$assay" reduce "$work/model/model.onnx" --input "$work/model" --target torch/eager,torch/inductor --out "$work/$1" >"$work/reduced.log" 2>&1
    "$assay" bugs --out "$work/$1" --json | "$python" -c 'import json, sys
print("named:", *(b["mode"] + " " + str(b["pass"]) for b in json.load(sys.stdin)))'
}

torch=torch/eager,torch/aot_eager,torch/export
deployed=torch/eager,torch/reloaded,torch/export-saved,torch/trace-saved
trained=torch/eager,torch/train,torch/train-aot_eager
expect "torch as it is: run, saved and loaded, differentiated" 0 "found: -" found torch none "$torch,${deployed#*,},${trained#*,},torch/train-inductor"
expect "torch: a wrong operator is wrong everywhere" 0 "found: aot_eager eager export" found torch operator "$torch"
expect "torch: a wrong compiler" 0 "found: aot_eager" found torch compiler "$torch"
expect "torch: a wrong exporter" 0 "found: export" found torch export "$torch"
expect "torch as it is, hundreds of times" 0 "leaks: -" leaks torch none torch/repeated,torch/repeated-aot_eager
expect "torch: an operator that leaks memory" 0 "leaks: repeated" leaks torch leak torch/repeated
expect "torch: a compiled function that leaks memory" 0 "leaks: repeated-aot_eager" leaks torch "compiled leak" torch/repeated,torch/repeated-aot_eager
expect "torch as it is, exported to ONNX" 0 "found: -" found torch-onnx none torch/eager,torch-onnx/*
expect "torch: a wrong exporter to ONNX" 0 "found: default dynamic no-optimize" found torch-onnx onnx torch/eager,torch-onnx/*
expect "torch: a compiled function that keeps its first result" 0 "found: aot_eager" found torch stale "$torch"
expect "torch: a state_dict that loses a tensor" 0 "found: reloaded" found torch state "$deployed"
expect "torch: a traced model that is not what was saved" 0 "found: trace-saved" found torch load "$deployed"
expect "inductor: a wrong lowering is named" 0 "named: inductor fallback_by_default" named lowering
expect "inductor: a wrong pattern is named" 0 "named: inductor pattern_matcher" named pattern
expect "torch: a wrong gradient" 0 "found: train train-aot_eager" found torch gradient "$trained"
expect "torch: a compiler with a wrong gradient" 0 "found: train-aot_eager" found torch "compiled gradient" "$trained"
if has_framework jax; then
    jax=jax/eager,jax/jit trained=jax/eager,jax/train,jax/train-jit
    expect "jax as it is, run and differentiated" 0 "found: -" found jax none "$jax,${trained#*,}"
    expect "jax: a wrong operator" 0 "found: eager jit" found jax operator $jax
    expect "jax: a wrong compiler" 0 "found: jit" found jax compiler $jax
    expect "jax: a compiled function that keeps its first result" 0 "found: jit" found jax stale $jax
    expect "jax as it is, hundreds of times" 0 "leaks: -" leaks jax none jax/repeated,jax/repeated-jit
    expect "jax: a compiled function that leaks memory" 0 "leaks: repeated-jit" leaks jax leak jax/repeated,jax/repeated-jit
    expect "jax: a wrong gradient" 0 "found: train train-jit" found jax gradient "$trained"
fi
if has_framework tensorflow; then
    tensorflow=tensorflow/eager,tensorflow/function,tensorflow/xla,tensorflow/saved
    trained=tensorflow/eager,tensorflow/train,tensorflow/train-function,tensorflow/train-xla
    expect "tensorflow as it is, run and differentiated" 0 "found: -" found tensorflow none "$tensorflow,${trained#*,}"
    expect "tensorflow: a wrong operator" 0 "found: eager function saved xla" found tensorflow operator "$tensorflow"
    expect "tensorflow: a wrong compiler" 0 "found: xla" found tensorflow compiler "$tensorflow"
    expect "tensorflow: functions that keep their first result" 0 "found: function xla" found tensorflow stale "${tensorflow%,*}"
    expect "tensorflow as it is, hundreds of times" 0 "leaks: -" leaks tensorflow none tensorflow/repeated,tensorflow/repeated-function
    expect "tensorflow: an operator that leaks memory" 0 "leaks: repeated" leaks tensorflow leak tensorflow/repeated,tensorflow/repeated-function
    expect "tensorflow: a wrong gradient" 0 "found: train train-function train-xla" found tensorflow gradient "$trained"
    expect "tensorflow: a SavedModel that is not what was saved" 0 "found: saved" found tensorflow load "$tensorflow"
fi
finish
