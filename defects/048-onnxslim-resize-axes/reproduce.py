"""Resize: exception

a valid model is refused: list index out of range

Found with onnxslim@0.1.98/default by assay 0.1.0, bug 572b25dc9e, severity S3.
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
        helper.make_node("Resize", ["x", "", "w"], ["Resize_2"], axes=[2, 1]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("Resize_2", TensorProto.FLOAT, [1, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [2], [1.0, 1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 24)],
    ir_version=12,
)
feeds = {
    "x": np.array([0.0], "float32").reshape([1, 1, 1, 1]),
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
