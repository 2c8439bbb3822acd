"""Pad+AveragePool: wrong shape (float)

Pad is fused into a pool with ceil_mode: the last window, which began in the padded zeros, now begins in the pads and is left out, (1, 1, 1, 1) for (1, 1, 1, 2).

AveragePool 22: "Sliding windows that would start in the right padded region are ignored"; those that start in the output of Pad are not.

Found with onnxoptimizer@0.4.2/default by assay 0.1.0, bug 3c1f750629, its opset raised from 21 to 22 by hand, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

try:
    import numpy as np
    import importlib.metadata
    import onnxoptimizer
    import onnxruntime as ort
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Pad", ["Unsqueeze_14", "w_6"], ["Pad_16"]),
        helper.make_node(
            "AveragePool", ["Pad_16"], ["AveragePool_8"],
            kernel_shape=[1, 2], strides=[3, 3], pads=[0, 1, 0, 0], ceil_mode=1,
        ),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Unsqueeze_14", TensorProto.FLOAT, [1, 1, 1, 2])],
    outputs=[helper.make_tensor_value_info("AveragePool_8", TensorProto.FLOAT, [1, 1, 1, 2])],
    initializer=[
        helper.make_tensor("w_6", TensorProto.INT64, [8], [0, 0, 0, 0, 0, 0, 0, 1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 22)],
    ir_version=10,
)
feeds = {
    "Unsqueeze_14": np.array([0.0, 0.0], "float32").reshape([1, 1, 1, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.0, 0.0], "float32").reshape([1, 1, 1, 2])


def convert(model):
    return onnxoptimizer.optimize(model)


version = importlib.metadata.version("onnxoptimizer")
print("onnxoptimizer", version, "run by onnxruntime", ort.__version__)


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
    wrong = ~np.isclose(x, r, rtol=0, atol=0, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
