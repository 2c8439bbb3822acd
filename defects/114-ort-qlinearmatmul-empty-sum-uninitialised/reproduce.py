"""QuantizeLinear Slice QLinearMatMul: wrong value (uint8)

QLinearMatMul over a dim of 0 writes nothing: its result is what the memory held before, here 7 and 9.

QLinearMatMul: "Matrix product that behaves like numpy.matmul", which sums nothing to 0.

Found with ort@1.31.1/off by assay 0.1.0 in the hunt of seed 20261122 (804c1b0894, blamed on onnxoptimizer there), reduced by hand, severity S1.
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
        helper.make_node("QuantizeLinear", ["x", "one"], ["level"]),
        helper.make_node("Slice", ["level", "start", "end", "axis"], ["none"]),
        helper.make_node(
            "QLinearMatMul", ["none", "one", "zero", "b", "one", "zero", "one", "zero"], ["y"],
        ),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2]),
        helper.make_tensor_value_info("b", TensorProto.UINT8, [0, 2]),
    ],
    outputs=[helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 2])],
    initializer=[
        helper.make_tensor("one", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("zero", TensorProto.UINT8, [], [0]),
        helper.make_tensor("start", TensorProto.INT64, [1], [0]),
        helper.make_tensor("end", TensorProto.INT64, [1], [0]),
        helper.make_tensor("axis", TensorProto.INT64, [1], [1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
feeds = {
    "b": np.zeros([0, 2], "uint8"),
    "x": np.array([7.0, 9.0], "float32").reshape([1, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0, 0], "uint8").reshape([1, 2])


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level off")
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
