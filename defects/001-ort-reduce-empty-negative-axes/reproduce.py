"""ReduceMean: wrong shape (float)

another shape than the standard gives

Found with ort@1.31.1/off by assay 0.1.0, bug 577aa77d02, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import base64
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
        helper.make_node("ReduceMean", ["Pow_6", "w_2"], ["ReduceMean_8"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Pow_6", TensorProto.FLOAT, [1, 1, 0])],
    outputs=[helper.make_tensor_value_info("ReduceMean_8", TensorProto.FLOAT, [1, 1, 1])],
    initializer=[
        helper.make_tensor("w_2", TensorProto.INT64, [1], [-1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 18)],
    ir_version=8,
)
feeds = {
    "Pow_6": np.zeros([1, 1, 0], "float32"),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.frombuffer(base64.b64decode("AADA/w=="), "float32").reshape([1, 1, 1])
# Elements that the standard leaves undefined do not count.
defined = np.array([False], "bool").reshape([1, 1, 1])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=0, equal_nan=True) & defined
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
