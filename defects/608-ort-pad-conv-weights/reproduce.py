"""Pad, Conv: a valid model is refused, in Pad_Fusion

A Pad of the weights of a Conv is fused as if it padded its input: the Pad is removed, its result is still read, and the session is refused as an invalid model.

Conv, `W`: "The weight tensor that will be used in the convolutions": a padded one is a larger kernel.

Found with ort@1.32.0/basic by assay 0.1.0, bug ff28c695d4, reduced by hand, severity S2.
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
        helper.make_node("Pad", ["w", "pads"], ["p"]),
        helper.make_node("Conv", ["x", "p"], ["y"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 4, 4]),
        helper.make_tensor_value_info("w", TensorProto.FLOAT, [1, 1, 1, 1]),
    ],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 1, 2, 2])],
    initializer=[helper.make_tensor("pads", TensorProto.INT64, [8], [0, 0, 1, 1, 0, 0, 1, 1])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "x": np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0], "float32").reshape([1, 1, 4, 4]),
    "w": np.array([1.0], "float32").reshape([1, 1, 1, 1]),
}


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC  # ORT_DISABLE_ALL is right
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level basic")
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
