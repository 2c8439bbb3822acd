"""Slice: signal (float)

The process dies by SIGSEGV when it runs a Slice whose axes are a graph input or otherwise known at run time only. Starts, ends or steps known so late do no harm.

Slice, axes: an input as the others, "1-D tensor of axes that starts and ends apply to".

Found with openvino@2026.4.1/f32 in judging 645, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import subprocess
import sys

try:
    import numpy as np
    import openvino
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Slice", ["x", "w", "w_2", "axes"], ["Slice_1"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 4]),
        helper.make_tensor_value_info("axes", TensorProto.INT64, [1]),
    ],
    outputs=[helper.make_tensor_value_info("Slice_1", TensorProto.FLOAT, [None, None])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT64, [1], [1]),
        helper.make_tensor("w_2", TensorProto.INT64, [1], [3]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
feeds = {
    "x": np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], "float32").reshape([2, 4]),
    "axes": np.array([1], "int64"),
}


def run(model, feeds):
    core = openvino.Core()
    properties = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU", properties)
    known = {name for port in compiled.inputs for name in port.get_names()}
    results = compiled({name: feeds[name] for name in feeds if name in known})
    return [results[i] for i in range(len(compiled.outputs))]


print("openvino", openvino.__version__)
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
