"""Mul, Sigmoid, Mul: wrong shape (float), in QuickGeluFusion

x * Sigmoid(a * x) is fused into QuickGelu although the constant a has more dims than x: of a scalar the result is a scalar, not of shape (1) (as 150 for Gelu).

Mul supports "multidirectional (i.e., Numpy-style) broadcasting": a scalar times a tensor of shape (1) has shape (1).

Found with ort@1.32.0/extended by assay 0.1.0, bug 4e2a7dd412, reduced further by hand, severity S1.
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
        helper.make_node("Mul", ["x", "a"], ["m"]),
        helper.make_node("Sigmoid", ["m"], ["s"]),
        helper.make_node("Mul", ["x", "s"], ["y"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])],
    initializer=[helper.make_tensor("a", TensorProto.FLOAT, [1], [1.70200002])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "x": np.array(2.0, "float32"),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([1.93565857], "float32")


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED  # ORT_DISABLE_ALL is right
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level extended")
try:
    observed = np.asarray(run(model, feeds)[0])
except Exception as error:
    print("cannot be compared, the model does not run:", error)
    sys.exit(2)
print("expected", expected.dtype, expected.shape)
print("observed", observed.dtype, observed.shape)
same = observed.dtype == expected.dtype and observed.shape == expected.shape
if same:
    x, r = observed.astype(float), expected.astype(float)
    wrong = ~np.isclose(x, r, rtol=0, atol=1e-05, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
