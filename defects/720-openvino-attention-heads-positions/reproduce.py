"""MatMul: wrong value (float)

expected 0.5, got 0.622459352; relative error 2.45e-01, rounding explains at most 4.59e-06

Found with openvino@2026.4.1/f32 by assay 0.1.0 in the run for false alarms, reduced further by assay, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys
import tempfile

try:
    import numpy as np
    import openvino
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Reshape", ["q", "shape"], ["heads"]),
        helper.make_node("Transpose", ["heads"], ["t"], perm=[0, 2, 1, 3]),
        helper.make_node("MatMul", ["t", "k"], ["s"]),
        helper.make_node("Softmax", ["s"], ["p"]),
        helper.make_node("MatMul", ["p", "v"], ["y"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("q", TensorProto.FLOAT, [1, 2, 4]),
        helper.make_tensor_value_info("k", TensorProto.FLOAT, [1, 1, 2, 2]),
        helper.make_tensor_value_info("v", TensorProto.FLOAT, [1, 1, 2, 2]),
    ],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2, 2, 2])],
    initializer=[
        helper.make_tensor("shape", TensorProto.INT64, [4], [1, 2, 2, 2]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "k": np.array([0.0, 0.0, 0.0, 1.0], "float32").reshape([1, 1, 2, 2]),
    "q": np.array([0.0] * 8, "float32").reshape([1, 2, 4]),
    "v": np.array([0.0, 0.0, 0.0, 1.0], "float32").reshape([1, 1, 2, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.0, 0.5, 0.0, 0.5, 0.0, 0.5, 0.0, 0.5], "float32").reshape([1, 2, 2, 2])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=2.29e-06, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
