"""QuantizeLinear: wrong value (uint8)

expected 11, got 12; relative error 1.00e+00, at most 0.00e+00 is honest

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 84c8c0b61e, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import os
import sys

# Before the engine loads: kernels for newer instruction sets were not judged.
os.environ["ONEDNN_MAX_CPU_ISA"] = "AVX512_CORE_VNNI"

try:
    import numpy as np
    import openvino
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("DequantizeLinear", ["w_27", "w_28"], ["DequantizeLinear_47"]),
        helper.make_node(
            "DequantizeLinear", ["QuantizeLinear_42", "w_25"], ["DequantizeLinear_43"],
        ),
        helper.make_node("Conv", ["DequantizeLinear_43", "DequantizeLinear_47"], ["Conv_49"]),
        helper.make_node("QuantizeLinear", ["Conv_49", "w_31"], ["QuantizeLinear_52"]),
        helper.make_node(
            "DequantizeLinear", ["QuantizeLinear_52", "w_31"], ["DequantizeLinear_53"],
        ),
        helper.make_node("Add", ["DequantizeLinear_53", "Add_79"], ["Add_54"]),
        helper.make_node("QuantizeLinear", ["Add_54", "w_33"], ["QuantizeLinear_57"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("Add_79", TensorProto.FLOAT, [1, 1, 1, 1]),
        helper.make_tensor_value_info("QuantizeLinear_42", TensorProto.UINT8, [1, 1, 1, 1]),
    ],
    outputs=[helper.make_tensor_value_info("QuantizeLinear_57", TensorProto.UINT8, [1, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w_25", TensorProto.FLOAT, [], [-1.25]),
        helper.make_tensor("w_27", TensorProto.INT8, [1, 1, 1, 1], [-12]),
        helper.make_tensor("w_28", TensorProto.FLOAT, [1], [0.00677644]),
        helper.make_tensor("w_31", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_33", TensorProto.FLOAT, [], [1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "Add_79": np.array([-0.5642768], "float32").reshape([1, 1, 1, 1]),
    "QuantizeLinear_42": np.array([120], "uint8").reshape([1, 1, 1, 1]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([11], "uint8").reshape([1, 1, 1, 1])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=0, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
