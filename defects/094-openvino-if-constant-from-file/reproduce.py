"""ReduceMin+If: wrong value (bool)

expected 0.761594156, got 1; relative error 3.13e-01, at most 2.86e-06 is honest

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 15b493d758, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import os
import sys
import tempfile

try:
    import numpy as np
    import openvino
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

body_2 = helper.make_graph(
    [
        helper.make_node("Tanh", ["ReduceMin_2"], ["else_5"]),
    ],
    "body_2",
    inputs=[],
    outputs=[helper.make_tensor_value_info("else_5", TensorProto.FLOAT, [1, 1, 1, 1])],
)
body_1 = helper.make_graph(
    [
        helper.make_node("Tanh", ["ReduceMin_2"], ["then_5"]),
    ],
    "body_1",
    inputs=[],
    outputs=[helper.make_tensor_value_info("then_5", TensorProto.FLOAT, [1, 1, 1, 1])],
)
graph = helper.make_graph(
    [
        helper.make_node("ReduceMin", ["x"], ["ReduceMin_2"]),
        helper.make_node("If", ["w_2"], ["If_4"], then_branch=body_1, else_branch=body_2),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 1, 1])],
    outputs=[
        helper.make_tensor_value_info("ReduceMin_2", TensorProto.FLOAT, [1, 1, 1, 1]),
        helper.make_tensor_value_info("If_4", TensorProto.FLOAT, [1, 1, 1, 1]),
    ],
    initializer=[
        helper.make_tensor("w_2", TensorProto.BOOL, [], [True]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 18)],
    ir_version=8,
)
feeds = {
    "x": np.array([1.0], "float32").reshape([1, 1, 1, 1]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.7615942], "float32").reshape([1, 1, 1, 1])


def run(model, feeds):
    core = openvino.Core()
    properties = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    with tempfile.TemporaryDirectory() as folder:  # read from memory the model is right
        path = os.path.join(folder, "model.onnx")
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        compiled = core.compile_model(core.read_model(path), "CPU", properties)
    known = {name for port in compiled.inputs for name in port.get_names()}
    results = compiled({name: feeds[name] for name in feeds if name in known})
    return [results[i] for i in range(len(compiled.outputs))]


print("openvino", openvino.__version__)
try:
    observed = np.asarray(run(model, feeds)[1])
except Exception as error:
    print("cannot be compared, the model does not run:", error)
    sys.exit(2)
print("expected", expected.dtype, expected.shape)
print("observed", observed.dtype, observed.shape)
same = observed.dtype == expected.dtype and observed.shape == expected.shape
if same:
    x, r = observed.astype(float), expected.astype(float)
    wrong = ~np.isclose(x, r, rtol=0, atol=2.18e-06, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
