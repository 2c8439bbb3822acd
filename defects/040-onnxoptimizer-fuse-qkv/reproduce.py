"""MatMul MatMul MatMul: internal-error

a valid model is refused: /project/third_party/onnx/onnx/common/ir.h:669: insertAfter: Assertion `!inGraphList() && n->inGraphList()` failed.

Found with onnxoptimizer@0.4.2/default by assay 0.1.0, bug 4c1b51d75f, severity S2.
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
        helper.make_node("MatMul", ["x", "w"], ["MatMul_3"]),
        helper.make_node("MatMul", ["x", "w_2"], ["MatMul_5"]),
        helper.make_node("MatMul", ["x", "w_3"], ["MatMul_7"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 1])],
    outputs=[
        helper.make_tensor_value_info("MatMul_5", TensorProto.FLOAT, [1, 1, 1]),
        helper.make_tensor_value_info("MatMul_7", TensorProto.FLOAT, [1, 1, 1]),
        helper.make_tensor_value_info("MatMul_3", TensorProto.FLOAT, [1, 1, 1]),
    ],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [1, 1], [0.0]),
        helper.make_tensor("w_2", TensorProto.FLOAT, [1, 1], [0.0]),
        helper.make_tensor("w_3", TensorProto.FLOAT, [1, 1], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 12)],
    ir_version=7,
)
feeds = {
    "x": np.array([0.0], "float32").reshape([1, 1, 1]),
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
