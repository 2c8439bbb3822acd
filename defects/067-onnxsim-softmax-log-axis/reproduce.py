"""Softmax Log: internal-error

a valid model is refused: /project/third_party/onnx/onnx/common/ir.h:291: find: Assertion `!required || it != values_.end()` failed: required undefined attribute 'axis'

Found with onnxsim@0.8.1/default by assay 0.1.0, bug 1190802bcf, severity S2.
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
        helper.make_node("Softmax", ["Sum_3"], ["Softmax_4"]),
        helper.make_node("Log", ["Softmax_4"], ["Log_7"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Sum_3", TensorProto.FLOAT, [1, 1])],
    outputs=[helper.make_tensor_value_info("Log_7", TensorProto.FLOAT, [1, 1])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 20)],
    ir_version=9,
)
feeds = {
    "Sum_3": np.array([0.0], "float32").reshape([1, 1]),
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
