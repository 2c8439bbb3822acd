"""Reshape Reshape: exception

a valid model is refused: Non-zero status code returned while running Reshape node. Name:'' Status Message: /onnxruntime_src/onnxruntime/core/providers/cpu/tensor/reshape_helper.h:91 onnxruntime::ReshapeHelper::ReshapeHelper(const onnxruntime::TensorShape&, onnxruntime::TensorShapeVector&, bool) input_shape_size == requested

Found with onnxoptimizer@0.4.2/default by assay 0.1.0, bug c4a0a078c5, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

try:
    import numpy as np
    import importlib.metadata
    import onnxoptimizer
    import onnxruntime as ort
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Reshape", ["z", "Constant_10"], ["Reshape_11"]),
        helper.make_node("Reshape", ["Reshape_11", "Constant_12"], ["Reshape_13"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("z", TensorProto.FLOAT, [3, 3]),
        helper.make_tensor_value_info("Constant_10", TensorProto.INT64, [3]),
        helper.make_tensor_value_info("Constant_12", TensorProto.INT64, [3]),
    ],
    outputs=[helper.make_tensor_value_info("Reshape_13", TensorProto.FLOAT, [None, None, None])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 11)],
    ir_version=6,
)
feeds = {
    "z": np.array([0.0] * 9, "float32").reshape([3, 3]),
    "Constant_10": np.array([1, 3, 3], "int64"),
    "Constant_12": np.array([0, 3, 3], "int64"),
}


def convert(model):
    return onnxoptimizer.optimize(model)


version = importlib.metadata.version("onnxoptimizer")
print("onnxoptimizer", version, "run by onnxruntime", ort.__version__)


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
