"""QuantizeLinear+DequantizeLinear+QuantizeLinear+DequantizeLinear: wrong value (uint8)

expected 1, got 0.996078432; relative error 3.92e-03, at most 2.86e-06 is honest

Found with ort@1.31.1/all by assay 0.1.0, bug e11625b12c, severity S1.
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
        helper.make_node("QuantizeLinear", ["Neg_3", "w", "w_2"], ["QuantizeLinear_6"]),
        helper.make_node(
            "DequantizeLinear", ["QuantizeLinear_6", "w_3", "w_4"], ["DequantizeLinear_9"],
        ),
        helper.make_node(
            "QuantizeLinear", ["DequantizeLinear_9", "w_5", "w_6"], ["QuantizeLinear_12"],
        ),
        helper.make_node(
            "DequantizeLinear", ["QuantizeLinear_12", "w_7", "w_8"], ["DequantizeLinear_15"],
        ),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Neg_3", TensorProto.FLOAT, [1, 2])],
    outputs=[helper.make_tensor_value_info("DequantizeLinear_15", TensorProto.FLOAT, [1, 2])],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_2", TensorProto.UINT8, [], [128]),
        helper.make_tensor("w_3", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_4", TensorProto.UINT8, [], [128]),
        helper.make_tensor("w_5", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_6", TensorProto.UINT8, [], [129]),
        helper.make_tensor("w_7", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_8", TensorProto.UINT8, [], [129]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "Neg_3": np.array([0.0, 1.0], "float32").reshape([1, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.0, 1.0], "float32").reshape([1, 2])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=2.86e-06, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
