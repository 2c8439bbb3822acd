"""Transpose Gemm: internal-error

a valid model is refused: /project/third_party/onnx/onnx/common/ir.h:273: find: Assertion `!required || it != values_.end()` failed: /project/third_party/onnx/onnx/common/ir.h:277: find: required undefined attribute 'perm'

Found with onnxoptimizer@0.4.2/default by assay 0.1.0, bug ff51d8682f, severity S2.
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
        helper.make_node("Transpose", ["Reshape_7"], ["Transpose_8"]),
        helper.make_node("Gemm", ["Transpose_8", "w_3"], ["Gemm_11"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Reshape_7", TensorProto.FLOAT, [1, 1])],
    outputs=[helper.make_tensor_value_info("Gemm_11", TensorProto.FLOAT, [1, 1])],
    initializer=[
        helper.make_tensor("w_3", TensorProto.FLOAT, [1, 1], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "Reshape_7": np.array([0.0], "float32").reshape([1, 1]),
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
