"""Mul: exception (float)

Equal parts are inferred for a Split of 3 in 2 (num_outputs) and written into the model, which no engine takes then.

Split: "If the tensor is not evenly splittable into `num_outputs`, the last chunk will be smaller".

Found with onnxslim@0.1.98/default by assay 0.1.0, bug aeb371238d, severity S3.
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
        helper.make_node("Split", ["x"], ["Split_1", "Split_2"], num_outputs=2, axis=-1),
        helper.make_node("Concat", ["Split_2", "Split_1"], ["Concat_3"], axis=-1),
        helper.make_node("Unsqueeze", ["Concat_3", "w"], ["Unsqueeze_5"]),
        helper.make_node("Pow", ["Unsqueeze_5", "w_2"], ["Pow_7"]),
        helper.make_node("ReduceMean", ["Pow_7", "w_3"], ["ReduceMean_9"], keepdims=1),
        helper.make_node("Add", ["ReduceMean_9", "w_4"], ["Add_11"]),
        helper.make_node("Sqrt", ["Add_11"], ["Sqrt_12"]),
        helper.make_node("Div", ["Unsqueeze_5", "Sqrt_12"], ["Div_13"]),
        helper.make_node("Mul", ["w_5", "Div_13"], ["Mul_15"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [3])],
    outputs=[helper.make_tensor_value_info("Mul_15", TensorProto.FLOAT, [1, 3])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT64, [1], [0]),
        helper.make_tensor("w_2", TensorProto.FLOAT, [], [2.0]),
        helper.make_tensor("w_3", TensorProto.INT64, [1], [-1]),
        helper.make_tensor("w_4", TensorProto.FLOAT, [], [1e-05]),
        helper.make_tensor("w_5", TensorProto.FLOAT, [3], [1.1875, 1.0625, 0.9375]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "x": np.array([2.6556349, 2.0995831, 0.75003403], "float32"),
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
