"""Clip QuantizeLinear: exception

a valid model is refused: Exception during initialization: /onnxruntime_src/onnxruntime/core/optimizer/qdq_transformer/clip_quantizelinear.cc:79 bool onnxruntime::GetQConstantLowerUpper(const Graph&, const Node&, float&, float&) Unexpected data type for QuantizeLinear input y_zero_point of 21 

Found with ort@1.31.1/all by assay 0.1.0, bug 711f4034dd, severity S2.
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
        helper.make_node("Clip", ["Mul_3"], ["Clip_10"]),
        helper.make_node("QuantizeLinear", ["Clip_10", "w_4", "w_5"], ["QuantizeLinear_13"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Mul_3", TensorProto.FLOAT, [1, 1, 1])],
    outputs=[helper.make_tensor_value_info("QuantizeLinear_13", TensorProto.UINT4, [1, 1, 1])],
    initializer=[
        helper.make_tensor("w_4", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_5", TensorProto.UINT4, [], [8]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 24)],
    ir_version=12,
)
feeds = {
    "Mul_3": np.array([0.0], "float32").reshape([1, 1, 1]),
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
    if "No corresponding Numpy type" not in str(error):  # Python has no tensors of 4 bits: the model has run.
        print("the bug is there")
        sys.exit(1)
print("as expected: the model runs")
