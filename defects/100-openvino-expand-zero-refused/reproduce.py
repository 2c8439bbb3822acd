"""Expand: exception

a valid model is refused: Exception from src/inference/src/cpp/core.cpp:117:
Exception from src/inference/src/dev/plugin.cpp:54:
Exception from src/core/src/pass/graph_rewrite.cpp:298:
[ConvertBroadcast3] END: node: opset3::Broadcast Expand_13 (opset1::Parameter MatMul_9[0]:f32[1,0,1], opset1::Constant w_2[0]:i32[2]) -> (f32

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug e688dabd47, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

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
        helper.make_node("Expand", ["MatMul_9", "w_2"], ["Expand_13"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("MatMul_9", TensorProto.FLOAT, [1, 0, 1])],
    outputs=[helper.make_tensor_value_info("Expand_13", TensorProto.FLOAT, [1, 0, 3])],
    initializer=[
        helper.make_tensor("w_2", TensorProto.INT64, [2], [1, 3]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 18)],
    ir_version=8,
)
feeds = {
    "MatMul_9": np.zeros([1, 0, 1], "float32"),
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
