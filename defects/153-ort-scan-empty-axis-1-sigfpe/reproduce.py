"""Scan: floating point exception (float)

The process dies (SIGFPE) in a Scan over no steps along axis 1; along axis 0 such a Scan is refused (106).

Scan: "sequence_length = scan_1.shape[axis_1]" and "for (int t = 0; t < sequence_length; ++t)" make no turn; a refusal would be an error, a crash is none.

Found with ort@1.31.1/off by assay 0.1.0 in the run for false alarms, reduced by hand, severity S2.
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

body = helper.make_graph(
    [
        helper.make_node("Add", ["state", "element"], ["sum"]),
        helper.make_node("Identity", ["sum"], ["out"]),
    ],
    "body",
    inputs=[
        helper.make_tensor_value_info("state", TensorProto.FLOAT, [2]),
        helper.make_tensor_value_info("element", TensorProto.FLOAT, [2]),
    ],
    outputs=[
        helper.make_tensor_value_info("sum", TensorProto.FLOAT, [2]),
        helper.make_tensor_value_info("out", TensorProto.FLOAT, [2]),
    ],
)
graph = helper.make_graph(
    [
        helper.make_node("Scan", ["w", "x"], ["y", "z"], body=body, num_scan_inputs=1, scan_input_axes=[1]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("w", TensorProto.FLOAT, [2]),
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 0]),
    ],
    outputs=[
        helper.make_tensor_value_info("y", TensorProto.FLOAT, [2]),
        helper.make_tensor_value_info("z", TensorProto.FLOAT, [0, 2]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "w": np.array([1.0, 2.0], "float32"),
    "x": np.zeros([2, 0], "float32"),
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
