"""DequantizeLinear Reshape: exception

a valid model is refused: Node (Reshape_16_q) Op (QuantizeLinear) [TypeInferenceError] output_dtype INT8 does not match y_zero_point type UINT8.

Found with ort@1.31.1/all by assay 0.1.0, bug d3e5ade2ed, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

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
        helper.make_node(
            "Constant", [], ["Constant_5"],
            value=helper.make_tensor("", TensorProto.FLOAT, [], [0.0625]),
        ),
        helper.make_node(
            "Constant", [], ["Constant_6"],
            value=helper.make_tensor("", TensorProto.INT8, [], [0]),
        ),
        helper.make_node(
            "DequantizeLinear", ["QuantizeLinear_7", "Constant_5", "Constant_6"], ["DequantizeLinear_8"],
        ),
        helper.make_node("Reshape", ["DequantizeLinear_8", "w_3"], ["Reshape_16"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("QuantizeLinear_7", TensorProto.INT8, [1, 2, 5, 1])],
    outputs=[helper.make_tensor_value_info("Reshape_16", TensorProto.FLOAT, [10, 1])],
    initializer=[
        helper.make_tensor("w_3", TensorProto.INT64, [2], [10, 1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 22)],
    ir_version=10,
)
feeds = {
    "QuantizeLinear_7": np.array([17, 4, 12, 6, 14, 13, 0, 6, 6, 12], "int8").reshape([1, 2, 5, 1]),
}


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL  # ORT_DISABLE_ALL is right
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level all")
try:
    run(model, feeds)
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    if "IR version" in str(error) or "is under development" in str(error):
        print("cannot be checked here: the release is older than the opset of the model")
        sys.exit(2)
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
