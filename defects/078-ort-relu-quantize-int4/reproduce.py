"""Relu+QuantizeLinear: wrong value (float)

expected 0, got -2; relative error 2.00e+00, at most 0.00e+00 is honest

Found with ort@1.31.1/all by assay 0.1.0, bug 1750a511d7, severity S1.
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
        helper.make_node("Relu", ["p"], ["Relu_11"]),
        helper.make_node("QuantizeLinear", ["Relu_11", "w_5", "w_6"], ["QuantizeLinear_14"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("p", TensorProto.FLOAT, [1, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("QuantizeLinear_14", TensorProto.INT4, [1, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w_5", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_6", TensorProto.INT4, [], [0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 22)],
    ir_version=10,
)
feeds = {
    "p": np.array([-2.0], "float32").reshape([1, 1, 1, 1]),
}
# NumPy has no int4: the output is read through a Cast.
model.graph.node.append(helper.make_node("Cast", ["QuantizeLinear_14"], ["QuantizeLinear_14_wide"], to=TensorProto.INT8))
model.graph.output[0].CopyFrom(
    helper.make_tensor_value_info("QuantizeLinear_14_wide", TensorProto.INT8, None)
)
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0], "int8").reshape([1, 1, 1, 1])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=0, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
