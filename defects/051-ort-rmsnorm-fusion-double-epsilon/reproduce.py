"""Pow+ReduceMean+Add+Sqrt+Div+Mul: wrong value (double)

expected 0.707106781, got 0.999995; relative error 4.14e-01, at most 8.53e-14 is honest

Found with ort@1.31.1/all by assay 0.1.0, bug f79bcfea09, severity S1.
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
        helper.make_node("Pow", ["Sub_2", "w"], ["Pow_4"]),
        helper.make_node("ReduceMean", ["Pow_4"], ["ReduceMean_5"], axes=[-1]),
        helper.make_node("Add", ["w_2", "ReduceMean_5"], ["Add_7"]),
        helper.make_node("Sqrt", ["Add_7"], ["Sqrt_8"]),
        helper.make_node("Div", ["Sub_2", "Sqrt_8"], ["Div_9"]),
        helper.make_node("Mul", ["Div_9", "w_3"], ["Mul_11"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Sub_2", TensorProto.DOUBLE, [1, 1, 1])],
    outputs=[helper.make_tensor_value_info("Mul_11", TensorProto.DOUBLE, [1, 1, 1])],
    initializer=[
        helper.make_tensor("w", TensorProto.DOUBLE, [], [2.0]),
        helper.make_tensor("w_2", TensorProto.DOUBLE, [], [1.0]),
        helper.make_tensor("w_3", TensorProto.DOUBLE, [1], [1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "Sub_2": np.array([1.0], "float64").reshape([1, 1, 1]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.7071067811865475], "float64").reshape([1, 1, 1])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=6.03e-14, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
