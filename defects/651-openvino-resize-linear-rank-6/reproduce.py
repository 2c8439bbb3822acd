"""Resize: abort (float)

the engine died by signal 6 (SIGABRT)

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 5f6ea1b26c, severity S0.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import subprocess
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
        helper.make_node("Resize", ["x", "", "w_3"], ["Resize_6"], mode="linear"),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 1, 1, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("Resize_6", TensorProto.FLOAT, [2, 1, 1, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w_3", TensorProto.FLOAT, [6], [1.0] * 6),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 23)],
    ir_version=11,
)
feeds = {
    "x": np.array([0.0, 0.0], "float32").reshape([2, 1, 1, 1, 1, 1]),
}


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
if sys.argv[1:] == ["run"]:
    run(model, feeds)
    sys.exit(0)
try:  # in a process of its own, because the engine dies or hangs
    code = subprocess.run([sys.executable, __file__, "run"], timeout=60).returncode
except subprocess.TimeoutExpired:
    code = "no answer in 60 s"
if code == 0:
    print("as expected: the model runs")
elif code == 1:
    print("cannot be checked here: another error")
    code = 2
else:
    print("the process died:", code)
    print("the bug is there")
    code = 1
sys.exit(code)
