"""NonMaxSuppression: wrong shape (int64)

output NonMaxSuppression_20 has the shape [1,3], the standard gives [0,3]

Found with tract@0.23.9/default by assay 0.1.0, bug 4b06c1e06f, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys
import tempfile

try:
    import numpy as np
    import tract
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node(
            "NonMaxSuppression", ["w_11", "Unsqueeze_16"], ["NonMaxSuppression_20"],
        ),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Unsqueeze_16", TensorProto.FLOAT, [1, 1, 1])],
    outputs=[helper.make_tensor_value_info("NonMaxSuppression_20", TensorProto.INT64, [None, 3])],
    initializer=[
        helper.make_tensor("w_11", TensorProto.FLOAT, [1, 1, 4], [0.0, 0.0, 0.0, 0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 18)],
    ir_version=8,
)
feeds = {
    "Unsqueeze_16": np.array([0.0], "float32").reshape([1, 1, 1]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.zeros([0, 3], "int64")


def run(model, feeds):
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/model.onnx"
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        loaded = tract.onnx().load(path)
        names = [loaded.input_name(i) for i in range(loaded.input_count())]
        made = loaded.into_model().into_runnable().run([feeds[name] for name in names])
    return [y.to_numpy() for y in made]


print("tract", tract.version())
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
