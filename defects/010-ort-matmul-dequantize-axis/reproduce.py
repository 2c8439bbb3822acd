"""DequantizeLinear+DequantizeLinear+MatMul: wrong value (float)

expected 32, got 0; relative error 1.00e+00, at most 4.29e-06 is honest

Found with ort@1.31.1/all by assay 0.1.0, bug f97283b892, severity S1.
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
        helper.make_node("DequantizeLinear", ["w_5", "w_6"], ["DequantizeLinear_15"], axis=0),
        helper.make_node(
            "DequantizeLinear", ["QuantizeLinear_18", "w_9"], ["DequantizeLinear_21"],
        ),
        helper.make_node(
            "MatMul", ["DequantizeLinear_21", "DequantizeLinear_15"], ["MatMul_22"],
        ),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("QuantizeLinear_18", TensorProto.UINT8, [1, 2])],
    outputs=[helper.make_tensor_value_info("MatMul_22", TensorProto.FLOAT, [1, 2])],
    initializer=[
        helper.make_tensor("w_5", TensorProto.UINT8, [2, 2], [4, 32, 32, 4]),
        helper.make_tensor("w_6", TensorProto.FLOAT, [2], [0.0, 1.0]),
        helper.make_tensor("w_9", TensorProto.FLOAT, [], [1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "QuantizeLinear_18": np.array([0, 1], "uint8").reshape([1, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([32.0, 4.0], "float32").reshape([1, 2])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=0.000137, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
