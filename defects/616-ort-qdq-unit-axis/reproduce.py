"""DequantizeLinear, Softmax, QuantizeLinear: wrong value (uint8), in QDQSelectorActionTransformer

A Softmax whose result is quantised along an axis becomes QLinearSoftmax, which takes the first scale for all: 32 instead of 4. Conv, AveragePool, GlobalAveragePool, Sigmoid and LeakyRelu before or behind scales along an axis, and MatMul behind them, are fused too and then refused: "must be a scalar".

QuantizeLinear: "Per-axis quantization: The scale must be a 1-D tensor, with the length of the quantization axis".

Found with ort@1.32.0/extended by assay 0.1.0, bug e7d3e56d5f, reduced by hand, severity S1.
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
        helper.make_node("DequantizeLinear", ["x", "s", "z"], ["d"]),
        helper.make_node("Softmax", ["d"], ["m"], axis=-1),
        helper.make_node("QuantizeLinear", ["m", "sv", "zv"], ["y"], axis=1),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.UINT8, [1, 2, 2])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 2, 2])],
    initializer=[
        helper.make_tensor("s", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("z", TensorProto.UINT8, [], [0]),
        helper.make_tensor("sv", TensorProto.FLOAT, [2], [0.015625, 0.125]),
        helper.make_tensor("zv", TensorProto.UINT8, [2], [0, 0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "x": np.array([3, 3, 5, 5], "uint8").reshape([1, 2, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([32, 32, 4, 4], "uint8").reshape([1, 2, 2])


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED  # ORT_DISABLE_ALL is right
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level extended")
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
