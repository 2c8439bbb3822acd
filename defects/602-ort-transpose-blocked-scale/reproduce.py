"""Transpose, DequantizeLinear, Transpose: wrong value (float), in TransposeOptimizer

A Transpose is moved past a blocked DequantizeLinear or QuantizeLinear whose scale stays as it was: elements get the scales of others, or the session fails when the dims differ.

DequantizeLinear, blocked: "The scale's shape is identical to the input's shape, except for one dimension": a moved Transpose has to move the dims of the scale too.

Found with ort@1.32.0/basic by assay 0.1.0, bug 3d6265d718, reduced by hand, severity S1.
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
        helper.make_node("Transpose", ["x"], ["t"], perm=[1, 0, 2]),
        helper.make_node("DequantizeLinear", ["t", "s"], ["d"], axis=2, block_size=2),
        helper.make_node("Transpose", ["d"], ["y"], perm=[1, 0, 2]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.UINT8, [2, 2, 2])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 2, 2])],
    initializer=[helper.make_tensor("s", TensorProto.FLOAT, [2, 2, 1], [1.0, 2.0, 4.0, 8.0])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "x": np.array([1, 1, 1, 1, 1, 1, 1, 1], "uint8").reshape([2, 2, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([1.0, 1.0, 4.0, 4.0, 2.0, 2.0, 8.0, 8.0], "float32").reshape([2, 2, 2])


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
