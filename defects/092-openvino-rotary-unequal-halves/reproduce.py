"""Add: wrong value (float)

expected 0, got 1; relative error 1.00e+00, at most 4.23e-37 is honest

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug b82111ff74, severity S1.
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
        helper.make_node("Slice", ["Einsum_6", "w", "w_2", "w_3"], ["Slice_11"]),
        helper.make_node("Slice", ["Einsum_6", "w_5", "w_6", "w_7"], ["Slice_16"]),
        helper.make_node("Neg", ["Slice_16"], ["Neg_17"]),
        helper.make_node("Concat", ["Neg_17", "Slice_11"], ["Concat_18"], axis=-1),
        helper.make_node("Mul", ["w_9", "Einsum_6"], ["Mul_21"]),
        helper.make_node("Mul", ["Concat_18", "w_10"], ["Mul_22"]),
        helper.make_node("Add", ["Mul_21", "Mul_22"], ["Add_23"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Einsum_6", TensorProto.FLOAT, [1, 1, 1, 3])],
    outputs=[helper.make_tensor_value_info("Add_23", TensorProto.FLOAT, [1, 1, 1, 3])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT64, [1], [0]),
        helper.make_tensor("w_2", TensorProto.INT64, [1], [1]),
        helper.make_tensor("w_3", TensorProto.INT64, [1], [-1]),
        helper.make_tensor("w_5", TensorProto.INT64, [1], [1]),
        helper.make_tensor("w_6", TensorProto.INT64, [1], [9223372036854775807]),
        helper.make_tensor("w_7", TensorProto.INT64, [1], [-1]),
        helper.make_tensor("w_9", TensorProto.FLOAT, [1, 3], [0.0, 0.0, 0.0]),
        helper.make_tensor("w_10", TensorProto.FLOAT, [1, 3], [0.0, 0.0, 0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 12)],
    ir_version=7,
)
feeds = {
    "Einsum_6": np.array([0.0, 0.0, 1.0], "float32").reshape([1, 1, 1, 3]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.0, 0.0, 0.0], "float32").reshape([1, 1, 1, 3])


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
