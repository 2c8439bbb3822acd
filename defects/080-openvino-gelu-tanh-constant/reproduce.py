"""Pow+Mul+Add+Mul+Tanh+Add+Mul+Mul: wrong value (float)

expected 0.841287295, got 0.841192007; relative error 1.13e-04, at most 4.74e-06 is honest

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 14c166df4b, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

try:
    import numpy as np
    import openvino
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Pow", ["Add_18", "w_3"], ["Pow_20"]),
        helper.make_node("Mul", ["w_4", "Pow_20"], ["Mul_22"]),
        helper.make_node("Add", ["Mul_22", "Add_18"], ["Add_23"]),
        helper.make_node("Mul", ["w_5", "Add_23"], ["Mul_25"]),
        helper.make_node("Tanh", ["Mul_25"], ["Tanh_26"]),
        helper.make_node("Add", ["Tanh_26", "w_6"], ["Add_28"]),
        helper.make_node("Mul", ["Add_18", "w_7"], ["Mul_30"]),
        helper.make_node("Mul", ["Mul_30", "Add_28"], ["Mul_31"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Add_18", TensorProto.FLOAT, [1, 1])],
    outputs=[helper.make_tensor_value_info("Mul_31", TensorProto.FLOAT, [1, 1])],
    initializer=[
        helper.make_tensor("w_3", TensorProto.FLOAT, [], [3.0]),
        helper.make_tensor("w_4", TensorProto.FLOAT, [1], [0.04516215]),
        helper.make_tensor("w_5", TensorProto.FLOAT, [], [0.7978846]),
        helper.make_tensor("w_6", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_7", TensorProto.FLOAT, [1], [0.5]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "Add_18": np.array([1.0], "float32").reshape([1, 1]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.8412873], "float32").reshape([1, 1])


def run(model, feeds):
    core = openvino.Core()
    properties = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU", properties)
    known = {name for port in compiled.inputs for name in port.get_names()}
    results = compiled({name: feeds[name] for name in feeds if name in known})
    return [results[i] for i in range(len(compiled.outputs))]


print("openvino", openvino.__version__)
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
    wrong = ~np.isclose(x, r, rtol=0, atol=3.99e-06, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
