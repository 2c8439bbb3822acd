"""exception

a valid model is refused: Invalid model. Node input 'Conv_13' is not a graph input, initializer, or output of a previous node.

Found with onnxslim@0.1.98/default by assay 0.1.0, bug 7c3b5cd7c3, severity S3.
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
        helper.make_node("Conv", ["MaxPool_10", "w_7"], ["Conv_13"], pads=[1, 1, 1, 1]),
        helper.make_node(
            "BatchNormalization", ["Conv_13", "w_9", "w_10", "w_11", "w_12"], ["BatchNormalization_18"],
        ),
        helper.make_node(
            "GlobalAveragePool", ["BatchNormalization_18"], ["GlobalAveragePool_22"],
        ),
        helper.make_node("Flatten", ["GlobalAveragePool_22"], ["Flatten_23"]),
        helper.make_node("Gemm", ["Flatten_23", "w_13"], ["Gemm_26"], transB=1),
        helper.make_node("Transpose", ["Conv_13"], ["Transpose_28"], perm=[1, 0, 2, 3]),
        helper.make_node("Reshape", ["Transpose_28", "Constant_29"], ["Reshape_30"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("MaxPool_10", TensorProto.FLOAT, [1, 8, 8, 8]),
        helper.make_tensor_value_info("Constant_29", TensorProto.INT64, [2]),
    ],
    outputs=[
        helper.make_tensor_value_info("Gemm_26", TensorProto.FLOAT, [1, 1]),
        helper.make_tensor_value_info("Reshape_30", TensorProto.FLOAT, [None, None]),
    ],
    initializer=[
        helper.make_tensor("w_7", TensorProto.FLOAT, [8, 8, 3, 3], [0.0] * 576),
        helper.make_tensor("w_9", TensorProto.FLOAT, [8], [0.0] * 8),
        helper.make_tensor("w_10", TensorProto.FLOAT, [8], [0.0] * 8),
        helper.make_tensor("w_11", TensorProto.FLOAT, [8], [0.0] * 8),
        helper.make_tensor("w_12", TensorProto.FLOAT, [8], [0.0] * 8),
        helper.make_tensor("w_13", TensorProto.FLOAT, [1, 8], [0.0] * 8),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "MaxPool_10": np.array([0.0] * 512, "float32").reshape([1, 8, 8, 8]),
    "Constant_29": np.array([64, 8], "int64"),
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
