"""Flatten Expand Reshape: exception

a valid model is refused: Non-zero status code returned while running Reshape node. Name:'' Status Message: /onnxruntime_src/onnxruntime/core/providers/cpu/tensor/reshape_helper.h:91 onnxruntime::ReshapeHelper::ReshapeHelper(const onnxruntime::TensorShape&, onnxruntime::TensorShapeVector&, bool) input_shape_size == requested

Found with onnxslim@0.1.98/default by assay 0.1.0, bug 3ecfa03dc2, severity S3.
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
        helper.make_node("Flatten", ["x"], ["Flatten_1"]),
        helper.make_node("Expand", ["Flatten_1", "w"], ["Expand_4"]),
        helper.make_node("Reshape", ["Expand_4", "w_2"], ["Reshape_6"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, "M", 1, 3, 3])],
    outputs=[helper.make_tensor_value_info("Reshape_6", TensorProto.FLOAT, [2, 2, 9])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT64, [2], [2, 18]),
        helper.make_tensor("w_2", TensorProto.INT64, [3], [2, 2, 9]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "x": np.array([0.0] * 18, "float32").reshape([1, 2, 1, 3, 3]),
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
