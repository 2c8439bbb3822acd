"""Add: wrong value (float)

The epsilon of a decomposed norm is replaced by 1e-5 where it is the first operand of Add: with 1 the result is 1 instead of 0.4472.

Add: "element-wise binary addition": the constant is added as it stands, on either side.

Found with ort@1.31.1/basic by assay 0.1.0, bug f198543b21, reduced further by hand, severity S1.
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
        helper.make_node("ReduceMean", ["x"], ["ReduceMean_7"], axes=[-1]),
        helper.make_node("Sub", ["x", "ReduceMean_7"], ["Sub_8"]),
        helper.make_node("Pow", ["Sub_8", "w_4"], ["Pow_10"]),
        helper.make_node("ReduceMean", ["Pow_10"], ["ReduceMean_11"], axes=[-1]),
        helper.make_node("Add", ["w_5", "ReduceMean_11"], ["Add_13"]),
        helper.make_node("Sqrt", ["Add_13"], ["Sqrt_14"]),
        helper.make_node("Div", ["Sub_8", "Sqrt_14"], ["Div_15"]),
        helper.make_node("Mul", ["Div_15", "w_6"], ["Mul_17"]),
        helper.make_node("Add", ["Mul_17", "w_7"], ["Add_19"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 1, 2])],
    outputs=[helper.make_tensor_value_info("Add_19", TensorProto.FLOAT, [1, 1, 1, 2])],
    initializer=[
        helper.make_tensor("w_4", TensorProto.FLOAT, [], [2.0]),
        helper.make_tensor("w_5", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_6", TensorProto.FLOAT, [2], [1.0, 1.0]),
        helper.make_tensor("w_7", TensorProto.FLOAT, [2], [0.0, 0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "x": np.array([0.0, 1.0], "float32").reshape([1, 1, 1, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([-0.4472136, 0.4472136], "float32").reshape([1, 1, 1, 2])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=1.5e-06, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
