"""Pad: exception

a valid model is refused: Non-zero status code returned while running Pad node. Name:'' Status Message: Unexpected mode of 3

Found with ort@1.31.1/off by assay 0.1.0, bug 6fefac015c, severity S3.
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
        helper.make_node("Pad", ["Unsqueeze_5", "w_2"], ["Pad_8"], mode="wrap"),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Unsqueeze_5", TensorProto.FLOAT, [1, 0])],
    outputs=[helper.make_tensor_value_info("Pad_8", TensorProto.FLOAT, [1, 0])],
    initializer=[
        helper.make_tensor("w_2", TensorProto.INT64, [4], [0, 0, 0, 0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 20)],
    ir_version=9,
)
feeds = {
    "Unsqueeze_5": np.zeros([1, 0], "float32"),
}


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level off")
try:
    run(model, feeds)
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
