"""Relu Transpose QuantizeLinear DequantizeLinear: wrong value (float)

A graph output that is also read by Transpose and QuantizeLinear comes out as the pair of QuantizeLinear and DequantizeLinear rounds it: 0 and 1.

Relu: "y = max(0, x)" is the output kept; QuantizeLinear makes a tensor of its own.

Found with ort@1.31.1/all by assay 0.1.0 in the run for false alarms, reduced by hand, severity S1.
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
        helper.make_node("Relu", ["x"], ["kept"]),
        helper.make_node("Transpose", ["kept"], ["turned"]),
        helper.make_node("QuantizeLinear", ["turned", "scale"], ["level"]),
        helper.make_node("DequantizeLinear", ["level", "scale"], ["y"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2])],
    outputs=[
        helper.make_tensor_value_info("kept", TensorProto.FLOAT, [1, 2]),
        helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 1]),
    ],
    initializer=[
        helper.make_tensor("scale", TensorProto.FLOAT, [], [1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 19)],
    ir_version=9,
)
feeds = {
    "x": np.array([0.25, 1.25], "float32").reshape([1, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.25, 1.25], "float32").reshape([1, 2])


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL  # ORT_DISABLE_ALL is right
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level all")
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
    wrong = ~np.isclose(x, r, rtol=0, atol=0.00125, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
