"""DequantizeLinear, DequantizeLinear, Gemm: wrong value (float), in QDQSelectorActionTransformer

Weights of a Gemm dequantised along the summed axis (0, or 1 with transB) are fused into QGemm, which takes the scales as those of the columns: 4 and 60 instead of 31 and 42 (010 is the same of MatMul).

DequantizeLinear, `axis`: "The axis of the dequantizing dimension of the input tensor".

Found with ort@1.32.0/extended by assay 0.1.0, bug a012143404, reduced further by hand, severity S1.
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
        helper.make_node("DequantizeLinear", ["w", "sw", "zw"], ["dw"], axis=0),
        helper.make_node("DequantizeLinear", ["x", "s", "z"], ["d"]),
        helper.make_node("Gemm", ["d", "dw"], ["y"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.UINT8, [1, 2])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT8, [2, 2], [1, 2, 3, 4]),
        helper.make_tensor("sw", TensorProto.FLOAT, [2], [1.0, 10.0]),
        helper.make_tensor("zw", TensorProto.INT8, [2], [0, 0]),
        helper.make_tensor("s", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("z", TensorProto.UINT8, [], [0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 19)],
    ir_version=9,
)
feeds = {
    "x": np.array([1, 1], "uint8").reshape([1, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([31.0, 42.0], "float32").reshape([1, 2])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=1e-05, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
