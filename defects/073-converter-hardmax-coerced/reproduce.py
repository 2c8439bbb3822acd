"""Hardmax: wrong value (float)

expected 0, got 1; relative error 1.00e+00, at most 2.86e-06 is honest

Found with onnx-version-converter@1.23.2/newest by assay 0.1.0, bug fbb557bf78, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
    from onnx import version_converter
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Hardmax", ["Cast_2"], ["Hardmax_3"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Cast_2", TensorProto.FLOAT, [1, 1, 2, 1])],
    outputs=[helper.make_tensor_value_info("Hardmax_3", TensorProto.FLOAT, [1, 1, 2, 1])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 11)],
    ir_version=6,
)
feeds = {
    "Cast_2": np.array([0.0, 0.0], "float32").reshape([1, 1, 2, 1]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([1.0, 0.0], "float32").reshape([1, 1, 2, 1])


def convert(model):
    return version_converter.convert_version(model, 23)


print("onnx", onnx.__version__, "run by onnxruntime", ort.__version__)


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
    observed = np.asarray(run(model, feeds)[0])
except Exception as error:
    print("cannot be compared, the model does not run:", error)
    sys.exit(2)
print("expected", expected.dtype, expected.shape)
print("observed", observed.dtype, observed.shape)
same = observed.dtype == expected.dtype and observed.shape == expected.shape
if same:
    x, r = observed.astype(float), expected.astype(float)
    wrong = ~np.isclose(x, r, rtol=0, atol=2.86e-06, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
