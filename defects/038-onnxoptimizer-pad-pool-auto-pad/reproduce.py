"""Pad AveragePool: exception

a valid model is refused: Non-zero status code returned while running AveragePool node. Name:'' Status Message: padding values must be non-negative

Found with onnxoptimizer@0.4.2/default by assay 0.1.0, bug 219f01025d, severity S3.
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
        helper.make_node(
            "Constant", [], ["Constant_15"],
            value=helper.make_tensor("", TensorProto.INT64, [8], [0, 0, 0, 1, 0, 0, 0, 0]),
        ),
        helper.make_node("Pad", ["Unsqueeze_14", "Constant_15"], ["Pad_16"]),
        helper.make_node(
            "AveragePool", ["Pad_16"], ["AveragePool_17"],
            kernel_shape=[1, 2], strides=[3, 3], auto_pad="SAME_LOWER",
        ),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Unsqueeze_14", TensorProto.FLOAT, [1, 1, 1, 3])],
    outputs=[helper.make_tensor_value_info("AveragePool_17", TensorProto.FLOAT, [1, 1, 1, 2])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
feeds = {
    "Unsqueeze_14": np.array([0.0, 0.0, 0.0], "float32").reshape([1, 1, 1, 3]),
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
