"""QuantizeLinear, DequantizeLinear: a valid model is refused, in QDQS8ToU8Transformer

Of a blocked int8 pair of one block the zero point, of shape (1, 1), is replaced by a scalar of uint8: the run is refused, since the scale still has two dims.

QuantizeLinear: "y_zero_point must have the same shape as y_scale" in all cases, which the inserted zero point breaks.

Found with ort@1.32.0/extended by assay 0.1.0, bug a50f106ef6, reduced further by hand, severity S2.
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
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"], block_size=4),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"], block_size=4),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4])],
    initializer=[
        helper.make_tensor("s", TensorProto.FLOAT, [1, 1], [0.5]),
        helper.make_tensor("z", TensorProto.INT8, [1, 1], [-1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "x": np.array([0.0, 1.0, 2.0, 3.0], "float32").reshape([1, 4]),
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
