"""Add: wrong value (float)

expected 0.353553391, got 0.999979973; relative error 1.83e+00, at most 4.41e-06 is honest

Found with ort@1.31.1/all by assay 0.1.0, bug f198543b21, severity S1.
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
        helper.make_node("ReduceMean", ["Cast_1", "w"], ["ReduceMean_3"]),
        helper.make_node("Sub", ["Cast_1", "ReduceMean_3"], ["Sub_4"]),
        helper.make_node("Pow", ["Sub_4", "w_2"], ["Pow_6"]),
        helper.make_node("ReduceMean", ["Pow_6", "w_3"], ["ReduceMean_8"]),
        helper.make_node("Add", ["w_4", "ReduceMean_8"], ["Add_10"]),
        helper.make_node("Sqrt", ["Add_10"], ["Sqrt_11"]),
        helper.make_node("Div", ["Sub_4", "Sqrt_11"], ["Div_12"]),
        helper.make_node("Mul", ["Div_12", "w_5"], ["Mul_14"]),
        helper.make_node("Add", ["Mul_14", "w_6"], ["Add_16"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Cast_1", TensorProto.FLOAT, [1, 1, 1, 2])],
    outputs=[helper.make_tensor_value_info("Add_16", TensorProto.FLOAT, [1, 1, 1, 2])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT64, [1], [3]),
        helper.make_tensor("w_2", TensorProto.FLOAT, [], [0.0]),
        helper.make_tensor("w_3", TensorProto.INT64, [1], [3]),
        helper.make_tensor("w_4", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_5", TensorProto.FLOAT, [2], [0.0, 1.0]),
        helper.make_tensor("w_6", TensorProto.FLOAT, [2], [0.0, 0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 24)],
    ir_version=12,
)
feeds = {
    "Cast_1": np.array([0.0, 1.0], "float32").reshape([1, 1, 1, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.0, 0.35355338], "float32").reshape([1, 1, 1, 2])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=1.56e-06, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
