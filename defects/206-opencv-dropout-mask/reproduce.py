"""Dropout: wrong nan (float)

expected 1, got -nan at 4 elements

Found with opencv@5.0.0.93/new by assay 0.1.0, bug 071fab1149, severity S2.
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
        helper.make_node(
            "Dropout", ["LayerNormalization_4", "w_2"], ["Dropout_6", "Dropout_7"],
        ),
        helper.make_node("Cast", ["Dropout_7"], ["Cast_9"], to=1),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("LayerNormalization_4", TensorProto.FLOAT, [2, 5, 5, 2])],
    outputs=[helper.make_tensor_value_info("Cast_9", TensorProto.FLOAT, [2, 5, 5, 2])],
    initializer=[
        helper.make_tensor("w_2", TensorProto.FLOAT, [], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 22)],
    ir_version=10,
)
feeds = {
    "LayerNormalization_4": np.array([0.0] * 100, "float32").reshape([2, 5, 5, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([1.0] * 100, "float32").reshape([2, 5, 5, 2])


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
