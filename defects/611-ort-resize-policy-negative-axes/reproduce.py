"""Resize: wrong shape (float)

With keep_aspect_ratio_policy not_larger or not_smaller and negative axes nothing is resized: the result has the shape of the input. Positive axes, and negative ones under stretch, are right.

Resize, `axes`: "Negative value means counting dimensions from the back"; not_larger: "scale = Min(sizes[i] / in_size[d])".

Found with ort@1.32.0/off by assay 0.1.0, bug b97edfcf2f, reduced further by hand, severity S1.
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
        helper.make_node(
            "Resize", ["x", "", "", "sizes"], ["y"],
            axes=[-2, -1], keep_aspect_ratio_policy="not_larger",
        ),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 1, 2, 2])],
    initializer=[helper.make_tensor("sizes", TensorProto.INT64, [2], [2, 3])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 18)],
    ir_version=8,
)
feeds = {
    "x": np.array([1.0], "float32").reshape([1, 1, 1, 1]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([1.0, 1.0, 1.0, 1.0], "float32").reshape([1, 1, 2, 2])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=1e-06, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
