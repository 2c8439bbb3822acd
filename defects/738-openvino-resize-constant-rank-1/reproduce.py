"""Resize: a valid model is refused

Axes are not correct!

Found with openvino@2026.4.1/f32 by assay 0.1.0 in a hunt, reduced further by hand, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys
import tempfile

try:
    import numpy as np
    import openvino
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Resize", ["x", "", "scales"], ["resized"], mode="linear"),
        helper.make_node("Add", ["resized", "z"], ["y"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("z", TensorProto.FLOAT, [6]),
    ],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [6])],
    initializer=[
        helper.make_tensor("x", TensorProto.FLOAT, [3], [1, 2, 3]),
        helper.make_tensor("scales", TensorProto.FLOAT, [1], [2]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "z": np.zeros([6], "float32"),
}


def run(model, feeds):
    core = openvino.Core()
    properties = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU", properties)
    known = {name for port in compiled.inputs for name in port.get_names()}
    results = compiled({name: feeds[name] for name in feeds if name in known})
    return [results[i] for i in range(len(compiled.outputs))]


print("openvino", openvino.__version__)
try:
    run(model, feeds)
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
