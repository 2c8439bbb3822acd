"""Mul, Conv: a valid model is refused

[MultiplyConvolutionFusion] Data batch and filters rank do not match (data batch shape: [2,5,5], filters shape: [1,2,1,1])

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
        helper.make_node("Mul", ["x", "factor"], ["scaled"]),
        helper.make_node("Conv", ["scaled", "w"], ["y"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 5, 5]),
    ],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 1, 5, 5])],
    initializer=[
        helper.make_tensor("factor", TensorProto.FLOAT, [1, 2, 1, 1], [2, 3]),
        helper.make_tensor("w", TensorProto.FLOAT, [1, 2, 1, 1], [1, 1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "x": np.ones([2, 5, 5], "float32"),
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
