"""Dropout: wrong value (float), in EliminateDropout

A Dropout of a graph input whose ratio a node computes is replaced by its ratio: 0.5 comes out instead of the data 5 and 7, in its shape too.

Dropout: without training_mode "ratio is ignored and the operation mimics inference mode where nothing will be dropped from the input data".

Found with ort@1.32.0/basic by assay 0.1.0, bug 33a6046353, reduced further by hand, severity S1.
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
        helper.make_node("Add", ["r", "w"], ["ratio"]),
        helper.make_node("Dropout", ["x", "ratio"], ["d"]),
        helper.make_node("Neg", ["d"], ["y"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [2]),
        helper.make_tensor_value_info("r", TensorProto.FLOAT, []),
    ],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])],
    initializer=[helper.make_tensor("w", TensorProto.FLOAT, [], [0.25])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "x": np.array([5.0, 7.0], "float32"),
    "r": np.array(0.25, "float32"),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([-5.0, -7.0], "float32")


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
    wrong = ~np.isclose(x, r, rtol=0, atol=1e-06, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
