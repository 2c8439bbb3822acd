"""QuantizeLinear+DequantizeLinear+Reshape: wrong value (float)

expected 0.3125, got 0.341132075; relative error 9.16e-02, at most 2.86e-06 is honest

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 437584ce5e, severity S1.
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
        helper.make_node("QuantizeLinear", ["x", "w", "w_2"], ["QuantizeLinear_3"]),
        helper.make_node(
            "DequantizeLinear", ["QuantizeLinear_3", "w_3", "w_4"], ["DequantizeLinear_6"],
        ),
        helper.make_node("Reshape", ["DequantizeLinear_6", "w_5"], ["Reshape_8"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("Reshape_8", TensorProto.FLOAT, [1, 1, 1])],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [], [0.0625]),
        helper.make_tensor("w_2", TensorProto.INT16, [], [-1]),
        helper.make_tensor("w_3", TensorProto.FLOAT, [], [0.0625]),
        helper.make_tensor("w_4", TensorProto.INT16, [], [-1]),
        helper.make_tensor("w_5", TensorProto.INT64, [3], [1, 1, 1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "x": np.array([0.34113207], "float32").reshape([1, 1, 1, 1]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.3125], "float32").reshape([1, 1, 1])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=8.94e-07, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
