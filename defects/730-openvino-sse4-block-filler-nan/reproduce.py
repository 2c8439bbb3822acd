"""Conv+Reciprocal+Conv: wrong value (float)

expected 0.75, got nan

Found with openvino@2026.4.1/f32-sse4 by assay 0.1.0 in the run for false alarms, reduced further by hand, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import os
import shutil
import sys

# It shows on a CPU that lacks instructions of this one: QEMU emulates Nehalem.
if os.environ.get("EMULATED") != str(os.getpid()):
    emulator = shutil.which("qemu-x86_64")
    if not emulator:
        print("cannot be checked here: qemu-x86_64 is missing (Debian: qemu-user)")
        sys.exit(2)
    os.environ["EMULATED"] = str(os.getpid())
    os.execv(emulator, [emulator, "-cpu", "Nehalem", sys.executable, *sys.argv])

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
        helper.make_node("Conv", ["x", "w"], ["sums"]),
        helper.make_node("Reciprocal", ["sums"], ["parts"]),
        helper.make_node("Conv", ["parts", "v"], ["y"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 8, 1, 1])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [6, 8, 1, 1], [1.0] * 48),
        helper.make_tensor("v", TensorProto.FLOAT, [1, 6, 1, 1], [1.0] * 6),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {"x": np.ones([1, 8, 1, 1], "float32")}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.75], "float32").reshape([1, 1, 1, 1])

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
    wrong = ~np.isclose(x, r, rtol=1e-5, atol=0, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
