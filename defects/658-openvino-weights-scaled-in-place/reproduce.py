"""DequantizeLinear, MatMul: wrong value in the second inference (float)

two runs of one session differ: 0.75 and 0.5625; expected 0.75

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 47db710a73, reduced further by hand, severity S1.
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
        helper.make_node("DequantizeLinear", ["w", "s"], ["d"]),
        helper.make_node("MatMul", ["x", "d"], ["y"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1]),
        helper.make_tensor_value_info("s", TensorProto.FLOAT, []),
    ],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT8, [1, 3], [1, 1, 1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
feeds = {
    "s": np.array(0.75, "float32"),
    "x": np.array([1.0], "float32").reshape([1, 1]),
}
# 1 * 1 * 0.75, by the text of the ONNX standard.
expected = np.array([[0.75, 0.75, 0.75]], "float32")


def run(model, feeds):
    core = openvino.Core()
    properties = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/model.onnx"
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        compiled = core.compile_model(core.read_model(path), "CPU", properties)
    known = {name for port in compiled.inputs for name in port.get_names()}
    for _ in range(3):  # the first one is right
        results = compiled({name: feeds[name] for name in feeds if name in known})
    return [results[i] for i in range(len(compiled.outputs))]


print("openvino", openvino.__version__)
try:
    observed = np.asarray(run(model, feeds)[0])
except Exception as error:
    print("cannot be compared, the model does not run:", error)
    sys.exit(2)
print("expected", expected.ravel(), "in the third inference as in the first")
print("observed", observed.ravel())
same = observed.shape == expected.shape and np.allclose(observed, expected, rtol=1e-5)
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
