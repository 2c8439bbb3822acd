"""Cast+Unsqueeze+QuantizeLinear+QLinearConv: wrong value (uint8)

Of a QLinearConv of a constant input x - x_zero_point is folded in uint8 and wraps: 0 - 128 counts as 128, the result is 255 instead of 0. As an input of the graph x is right.

DequantizeLinear, the meaning of a zero point: "y = (x - x_zero_point) * x_scale", negative where x lies below.

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug a2617c320d, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import os
import sys
import tempfile

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
        helper.make_node(
            "Constant", [], ["Constant_12"],
            value=helper.make_tensor("", TensorProto.INT64, [1], [-1]),
        ),
        helper.make_node("Cast", ["Constant_12"], ["Cast_14"], to=1),
        helper.make_node("Unsqueeze", ["Cast_14", "w_6"], ["Unsqueeze_16"]),
        helper.make_node("QuantizeLinear", ["Unsqueeze_16", "w_7"], ["QuantizeLinear_19"]),
        helper.make_node(
            "QLinearConv", ["QuantizeLinear_19", "w_7", "w_8", "w_9", "w_10", "w_11", "w_12", "w_13"], ["QLinearConv_26"],
        ),
    ],
    "graph",
    inputs=[],
    outputs=[helper.make_tensor_value_info("QLinearConv_26", TensorProto.UINT8, [1, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w_6", TensorProto.INT64, [3], [0, 1, 2]),
        helper.make_tensor("w_7", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_8", TensorProto.UINT8, [], [128]),
        helper.make_tensor("w_9", TensorProto.INT8, [1, 1, 1, 1], [64]),
        helper.make_tensor("w_10", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_11", TensorProto.INT8, [], [3]),
        helper.make_tensor("w_12", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_13", TensorProto.UINT8, [], [128]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0], "uint8").reshape([1, 1, 1, 1])


def run(model, feeds):
    core = openvino.Core()
    properties = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/model.onnx"
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        compiled = core.compile_model(core.read_model(path), "CPU", properties)
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
