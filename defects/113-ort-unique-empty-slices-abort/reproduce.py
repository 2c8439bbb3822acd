"""Unique: abort (double)

The process is aborted (SIGABRT) by Unique along an axis whose slices have no elements.

Unique, axis: "unique subtensors sliced along the axis are returned"; nothing forbids a dim of 0; a refusal would be an error, an abort is none.

Found with ort@1.31.1/off by assay 0.1.0, bug 19e63483a1, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import subprocess
import sys

try:
    import numpy as np
    import onnxruntime as ort
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Unique", ["Add_15"], ["Unique_1", "Unique_2"], axis=-2),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Add_15", TensorProto.DOUBLE, [1, 1, 0])],
    outputs=[helper.make_tensor_value_info("Unique_1", TensorProto.DOUBLE, [1, None, 0])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "Add_15": np.zeros([1, 1, 0], "float64"),
}


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level off")
if sys.argv[1:] == ["run"]:
    run(model, feeds)
    sys.exit(0)
try:  # in a process of its own, because the engine dies or hangs
    code = subprocess.run([sys.executable, __file__, "run"], timeout=60).returncode
except subprocess.TimeoutExpired:
    code = "no answer in 60 s"
if code == 0:
    print("as expected: the model runs")
elif code == 1:
    print("cannot be checked here: another error")
    code = 2
else:
    print("the process died:", code)
    print("the bug is there")
    code = 1
sys.exit(code)
