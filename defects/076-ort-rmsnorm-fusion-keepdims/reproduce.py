"""Mul: wrong shape (float)

another shape than the standard gives

Found with ort@1.31.1/all by assay 0.1.0, bug 367364a200, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

try:
    import numpy as np
    import onnxruntime as ort
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Unsqueeze", ["x", "w"], ["Unsqueeze_2"]),
        helper.make_node("Sin", ["Unsqueeze_2"], ["Sin_3"]),
        helper.make_node("GlobalMaxPool", ["Sin_3"], ["GlobalMaxPool_9"]),
        helper.make_node("Equal", ["GlobalMaxPool_9", "w_2"], ["Equal_5"]),
        helper.make_node("LessOrEqual", ["GlobalMaxPool_9", "w_3"], ["LessOrEqual_7"]),
        helper.make_node("Pow", ["GlobalMaxPool_9", "w_4"], ["Pow_11"]),
        helper.make_node("Or", ["Equal_5", "LessOrEqual_7"], ["Or_8"]),
        helper.make_node("Identity", ["Pow_11"], ["Identity_19"]),
        helper.make_node(
            "ReduceMean", ["Identity_19"], ["ReduceMean_12"],
            axes=[-1], keepdims=0,
        ),
        helper.make_node("Add", ["w_5", "ReduceMean_12"], ["Add_14"]),
        helper.make_node("Sqrt", ["Add_14"], ["Sqrt_15"]),
        helper.make_node("Div", ["GlobalMaxPool_9", "Sqrt_15"], ["Div_16"]),
        helper.make_node("Mul", ["w_6", "Div_16"], ["Mul_18"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2])],
    outputs=[
        helper.make_tensor_value_info("GlobalMaxPool_9", TensorProto.FLOAT, [1, 2, 1]),
        helper.make_tensor_value_info("Or_8", TensorProto.BOOL, [1, 2, 1]),
        helper.make_tensor_value_info("Mul_18", TensorProto.FLOAT, [1, 2, 2]),
    ],
    initializer=[
        helper.make_tensor("w", TensorProto.INT64, [1], [2]),
        helper.make_tensor("w_2", TensorProto.FLOAT, [1], [-1.0]),
        helper.make_tensor("w_3", TensorProto.FLOAT, [2, 1], [-1.0, -1.0]),
        helper.make_tensor("w_4", TensorProto.FLOAT, [], [2.0]),
        helper.make_tensor("w_5", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_6", TensorProto.FLOAT, [1], [1.25]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
feeds = {
    "x": np.array([1.5, 4.0], "float32").reshape([1, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.88277435, 0.9942392, -0.66976357, -0.7543323], "float32").reshape([1, 2, 2])


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL  # ORT_DISABLE_ALL is right
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level all")
try:
    observed = np.asarray(run(model, feeds)[2])
except Exception as error:
    print("cannot be compared, the model does not run:", error)
    sys.exit(2)
print("expected", expected.dtype, expected.shape)
print("observed", observed.dtype, observed.shape)
same = observed.dtype == expected.dtype and observed.shape == expected.shape
if same:
    x, r = observed.astype(float), expected.astype(float)
    wrong = ~np.isclose(x, r, rtol=0, atol=0.000994, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
