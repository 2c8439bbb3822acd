"""SoftmaxCrossEntropyLoss Tile Split: exception (float)

A scalar is inferred for SoftmaxCrossEntropyLoss without reduction and written into the model; no engine takes the result.

SoftmaxCrossEntropyLoss: "If reduction is none, this has the shape of [batch_size], or [batch_size, D1, D2, ..., Dk]".

Found with onnxslim@0.1.98/default by assay 0.1.0, bug 827a01ff54, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

try:
    import numpy as np
    import onnxruntime as ort
    import onnxslim
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node(
            "SoftmaxCrossEntropyLoss", ["Unsqueeze_2", "w_2"], ["SoftmaxCrossEntropyLoss_5"],
            reduction="none",
        ),
        helper.make_node("Tile", ["SoftmaxCrossEntropyLoss_5", "w_11"], ["Tile_19"]),
        helper.make_node("Split", ["Tile_19"], ["Split_21"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Unsqueeze_2", TensorProto.FLOAT, [1, 1, 1])],
    outputs=[helper.make_tensor_value_info("Split_21", TensorProto.FLOAT, [1, 1])],
    initializer=[
        helper.make_tensor("w_2", TensorProto.INT64, [1, 1], [0]),
        helper.make_tensor("w_11", TensorProto.INT64, [2], [1, 1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 15)],
    ir_version=8,
)
feeds = {
    "Unsqueeze_2": np.array([0.0], "float32").reshape([1, 1, 1]),
}


def convert(model):
    return onnxslim.slim(model)


print("onnxslim", onnxslim.__version__, "run by onnxruntime", ort.__version__)


def run(model, feeds):
    """Converts the model and runs the result without any optimisation of the engine."""
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    model = convert(model).SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    known = {i.name for i in session.get_inputs()}
    return session.run(None, {name: feeds[name] for name in feeds if name in known})


try:
    run(model, feeds)
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
