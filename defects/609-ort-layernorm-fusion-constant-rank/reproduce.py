"""ReduceMean to Add: wrong shape (float), in LayerNormFusionL1

The decomposed norm is fused although its exponent, or its epsilon, has more dims than x: the result loses them, (1, 2) instead of (1, 1, 2). So is the decomposed RMS norm.

Pow and Add support "multidirectional (i.e., Numpy-style) broadcasting", by which a constant of more dims gives the result its rank.

Found with ort@1.32.0/basic by assay 0.1.0, bug b6c2c6f80c, reduced further by hand, severity S1.
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
        helper.make_node("ReduceMean", ["x"], ["mean"], axes=[-1]),
        helper.make_node("Sub", ["x", "mean"], ["d"]),
        helper.make_node("Pow", ["d", "two"], ["p"]),
        helper.make_node("ReduceMean", ["p"], ["v"], axes=[-1]),
        helper.make_node("Add", ["v", "eps"], ["a"]),
        helper.make_node("Sqrt", ["a"], ["r"]),
        helper.make_node("Div", ["d", "r"], ["n"]),
        helper.make_node("Mul", ["n", "g"], ["m"]),
        helper.make_node("Add", ["m", "b"], ["y"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 1, 2])],
    initializer=[
        helper.make_tensor("two", TensorProto.FLOAT, [1, 1, 1], [2.0]),
        helper.make_tensor("eps", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("g", TensorProto.FLOAT, [2], [1.0, 1.0]),
        helper.make_tensor("b", TensorProto.FLOAT, [2], [0.0, 0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "x": np.array([1.0, 3.0], "float32").reshape([1, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([-0.707106769, 0.707106769], "float32").reshape([1, 1, 2])


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC  # ORT_DISABLE_ALL is right
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level basic")
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
