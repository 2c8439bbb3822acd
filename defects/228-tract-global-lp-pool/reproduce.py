"""GlobalLpPool: wrong value (float)

expected 1, got 0.707106769; relative error 2.93e-01, rounding explains at most 2.86e-06

Found with tract@0.23.9/default by assay 0.1.0, bug dcc7ea8091, severity S1.
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
        helper.make_node("GlobalLpPool", ["Unsqueeze_2"], ["GlobalLpPool_3"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Unsqueeze_2", TensorProto.FLOAT, [1, 1, 2])],
    outputs=[helper.make_tensor_value_info("GlobalLpPool_3", TensorProto.FLOAT, [1, 1, 1])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 16)],
    ir_version=8,
)
feeds = {
    "Unsqueeze_2": np.array([0.0, 1.0], "float32").reshape([1, 1, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([1.0], "float32").reshape([1, 1, 1])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=2.86e-06, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
