"""DequantizeLinear, Reshape: wrong value (float), in QDQPropagationTransformer

Below opset 21 a DequantizeLinear of int8 without a zero point is pushed through a data movement by a QuantizeLinear without one, which makes uint8: negative numbers become 0.

DequantizeLinear: "y = (x - x_zero_point) * x_scale", "Zero point for input 'x'. Shape must match x_scale. It's optional. Zero point is 0 when it's not specified".

Found with ort@1.32.0/basic by assay 0.1.0, bug 9895d38033, reduced further by hand, severity S1.
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
        helper.make_node("DequantizeLinear", ["x", "s"], ["d"]),
        helper.make_node("Reshape", ["d", "shape"], ["y"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.INT8, [1, 2])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 1])],
    initializer=[
        helper.make_tensor("s", TensorProto.FLOAT, [], [0.5]),
        helper.make_tensor("shape", TensorProto.INT64, [2], [2, 1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "x": np.array([-24, 3], "int8").reshape([1, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([-12.0, 1.5], "float32").reshape([2, 1])


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
