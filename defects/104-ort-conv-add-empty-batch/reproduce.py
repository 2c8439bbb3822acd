"""Conv Conv Add: exception

a valid model is refused: Node (Reshape_token_3) Op (Reshape) [ShapeInferenceError] Invalid Target shape product of 0. Product cannot be 0 in combination with -1

Found with ort@1.31.1/all by assay 0.1.0, bug 3cd50e2e6c, severity S2.
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
        helper.make_node("Conv", ["DequantizeLinear_100", "w_26"], ["Conv_43"]),
        helper.make_node("Conv", ["Relu_34", "w_21"], ["Conv_36"]),
        helper.make_node("Add", ["Conv_36", "Conv_43"], ["Add_49"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("DequantizeLinear_100", TensorProto.FLOAT, [0, 1, 1, 1]),
        helper.make_tensor_value_info("Relu_34", TensorProto.FLOAT, [0, 1, 1, 1]),
    ],
    outputs=[helper.make_tensor_value_info("Add_49", TensorProto.FLOAT, [0, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w_21", TensorProto.FLOAT, [1, 1, 1, 1], [0.0]),
        helper.make_tensor("w_26", TensorProto.FLOAT, [1, 1, 1, 1], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "DequantizeLinear_100": np.zeros([0, 1, 1, 1], "float32"),
    "Relu_34": np.zeros([0, 1, 1, 1], "float32"),
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
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
