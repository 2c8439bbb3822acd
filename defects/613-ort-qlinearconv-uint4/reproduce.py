"""Conv: a valid model is refused, in QDQSelectorActionTransformer

A Conv between DequantizeLinear and QuantizeLinear of uint4 becomes QLinearConv, which does not take uint4: the session is refused as an invalid graph. Other operators between them (Add, MatMul, AveragePool) are left as they are.

DequantizeLinear 21 and QuantizeLinear 21 list uint4; the Conv itself is of float.

Found with ort@1.32.0/extended by assay 0.1.0, bug 47172068a7, reduced by hand, severity S2.
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
        helper.make_node("Cast", ["x"], ["q"], to=21),
        helper.make_node("DequantizeLinear", ["w", "s"], ["dw"]),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"]),
        helper.make_node("Conv", ["d", "dw"], ["c"]),
        helper.make_node("QuantizeLinear", ["c", "s", "z"], ["r"]),
        helper.make_node("Cast", ["r"], ["y"], to=2),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.UINT8, [1, 1, 2])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 1, 2])],
    initializer=[
        helper.make_tensor("w", TensorProto.UINT8, [1, 1, 1], [2]),
        helper.make_tensor("s", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("z", TensorProto.UINT4, [], [0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "x": np.array([5, 7], "uint8").reshape([1, 1, 2]),
}


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED  # ORT_DISABLE_ALL is right
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level extended")
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
