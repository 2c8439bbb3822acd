"""MatMul Add: exception

a valid model is refused: Non-zero status code returned while running Reshape node. Name:'Reshape_5' Status Message: /onnxruntime_src/onnxruntime/core/providers/cpu/tensor/reshape_helper.h:33 onnxruntime::ReshapeHelper::ReshapeHelper(const onnxruntime::TensorShape&, onnxruntime::TensorShapeVector&, bool) i < input_shape.NumD

Found with onnxsim@0.8.1/default by assay 0.1.0, bug 0b0a636123, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

try:
    import numpy as np
    import onnxruntime as ort
    import onnxsim
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("MatMul", ["x", "w_5"], ["MatMul_16"]),
        helper.make_node("Add", ["w_6", "MatMul_16"], ["Add_18"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 2, 0, 5])],
    outputs=[helper.make_tensor_value_info("Add_18", TensorProto.FLOAT, ["N", 2, 0, 1])],
    initializer=[
        helper.make_tensor("w_5", TensorProto.FLOAT, [5, 1], [0.0] * 5),
        helper.make_tensor("w_6", TensorProto.FLOAT, [1], [1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
feeds = {
    "x": np.zeros([2, 2, 0, 5], "float32"),
}


def convert(model):
    return onnxsim.simplify(model)[0]


print("onnxsim", onnxsim.__version__, "run by onnxruntime", ort.__version__)


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
