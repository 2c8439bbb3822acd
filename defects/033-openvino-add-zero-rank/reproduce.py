"""QuantizeLinear DequantizeLinear Add Abs ReduceMin: exception

a valid model is refused: Exception from src/inference/src/cpp/core.cpp:117: Exception from src/inference/src/dev/plugin.cpp:54: Check 'is_axis_valid(axis, r)' failed at src/core/src/validation_util.cpp:336: While validating node 'opset1::ReduceMin ReduceMin_11 (opset1::Abs Abs_15[0]:f32[0], opset1::Constant Constant_154495[

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug ef5847487d, severity S3.
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
        helper.make_node("QuantizeLinear", ["Tile_4", "w_3"], ["QuantizeLinear_7"]),
        helper.make_node(
            "DequantizeLinear", ["QuantizeLinear_7", "w_3"], ["DequantizeLinear_8"],
        ),
        helper.make_node("Add", ["DequantizeLinear_8", "w_5"], ["Add_10"]),
        helper.make_node("Abs", ["Add_10"], ["Abs_15"]),
        helper.make_node("ReduceMin", ["Abs_15"], ["ReduceMin_11"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Tile_4", TensorProto.FLOAT, [0])],
    outputs=[helper.make_tensor_value_info("ReduceMin_11", TensorProto.FLOAT, [1, 1])],
    initializer=[
        helper.make_tensor("w_3", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_5", TensorProto.FLOAT, [1, 1], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 15)],
    ir_version=8,
)
feeds = {
    "Tile_4": np.zeros([0], "float32"),
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
