"""Exp+Add+Log: wrong value (float)

expected 0, got 0.693147182; relative error 6.93e-01, rounding explains at most 2.86e-06

Found with opencv@5.0.0.93/new by assay 0.1.0, bug 762ae5c627, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

try:
    import numpy as np
    import cv2
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Exp", ["Clip_4"], ["Exp_6"]),
        helper.make_node("Add", ["Exp_6", "w_3"], ["Add_7"]),
        helper.make_node("Log", ["Add_7"], ["Log_8"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Clip_4", TensorProto.FLOAT, [1, 1, 1])],
    outputs=[helper.make_tensor_value_info("Log_8", TensorProto.FLOAT, [1, 1, 1])],
    initializer=[
        helper.make_tensor("w_3", TensorProto.FLOAT, [1], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 16)],
    ir_version=8,
)
feeds = {
    "Clip_4": np.array([0.0], "float32").reshape([1, 1, 1]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.0], "float32").reshape([1, 1, 1])


def run(model, feeds):
    data = np.frombuffer(model.SerializeToString(), np.uint8)
    net = cv2.dnn.readNetFromONNX(data, cv2.dnn.ENGINE_NEW)
    for name, value in feeds.items():
        net.setInput(value, name)
    declared = [helper.tensor_dtype_to_np_dtype(o.type.tensor_type.elem_type) for o in model.graph.output]
    made = [np.asarray(y) for y in net.forward([o.name for o in model.graph.output])]
    return [y.astype(t) if y.dtype.kind == t.kind else y for y, t in zip(made, declared)]


print("opencv", cv2.__version__, "engine ENGINE_NEW")
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
