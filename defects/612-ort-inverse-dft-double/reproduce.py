"""DFT: wrong value (double)

The inverse DFT of doubles is divided by N in float: 1/3 comes out 1e-8 too large, half of the digits are lost. A length that is a power of 2, and the forward DFT, are right.

DFT: the inverse transform is the sum times 1/N; T1: double allowed.

Found with ort@1.32.0/off by assay 0.1.0, bug a159bfea0e, severity S3.
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
        helper.make_node("DFT", ["x", "", "axis"], ["y"], inverse=1),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.DOUBLE, [1, 3, 1])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.DOUBLE, [1, 3, 2])],
    initializer=[helper.make_tensor("axis", TensorProto.INT64, [], [1])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 20)],
    ir_version=9,
)
feeds = {
    "x": np.array([0.0, 0.0, 1.0], "float64").reshape([1, 3, 1]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.3333333333333333, 0.0, -0.16666666666666666, -0.28867513459481287, -0.16666666666666666, 0.28867513459481287], "float64").reshape([1, 3, 2])


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level off")
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
    wrong = ~np.isclose(x, r, rtol=0, atol=3e-13, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
