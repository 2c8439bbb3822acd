"""Conv: wrong value (float)

Where a window lies in the pads alone the result is uninitialised memory; the text gives 0.

Found with openvino@2026.4.1/f32 by assay 0.1.0 in the run for false alarms, reduced by hand, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import os
import shutil
import sys
import tempfile

# It shows on a CPU without AVX-512: elsewhere QEMU emulates Haswell.
if "avx512f" in open("/proc/cpuinfo").read() and os.environ.get("EMULATED") != str(os.getpid()):
    emulator = shutil.which("qemu-x86_64")
    if not emulator:
        print("cannot be checked here: this machine lacks qemu-x86_64 (Debian: qemu-user)")
        sys.exit(2)
    os.environ["EMULATED"] = str(os.getpid())
    os.execv(emulator, [emulator, "-cpu", "Haswell", sys.executable, *sys.argv])

try:
    import numpy as np
    import openvino
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Conv", ["x", "w"], ["y"], pads=[0, 0, 0, 64]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 1, 4])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 1, 1, 66])],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [1, 1, 1, 3], [1.0, 1.0, 1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "x": np.ones([1, 1, 1, 4], "float32"),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([3.0, 3.0, 2.0, 1.0] + [0.0] * 62, "float32").reshape([1, 1, 1, 66])


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
# Memory that nothing has written yet may hold zeros.
outputs = [np.asarray(run(model, feeds)[0]) for _ in range(5)]
wrong = [observed for observed in outputs if not np.array_equal(observed, expected)]
print("expected", expected.dtype, expected.shape)
print("observed", outputs[0].dtype, outputs[0].shape)
for observed in wrong[:1]:
    for at in map(tuple, np.argwhere(observed != expected)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
print("the bug is there" if wrong else "as expected")
sys.exit(1 if wrong else 0)
