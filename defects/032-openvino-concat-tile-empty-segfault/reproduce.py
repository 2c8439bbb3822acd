"""Concat Tile: signal

the engine died by signal 11

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug ee8355c5dc, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import subprocess
import sys

try:
    import numpy as np
    import openvino
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Concat", ["Split_9", "Split_8"], ["Concat_10"], axis=-2),
        helper.make_node("Tile", ["Concat_10", "w_4"], ["Tile_12"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("Split_9", TensorProto.FLOAT, [1, 1, 0, 1, 1]),
        helper.make_tensor_value_info("Split_8", TensorProto.FLOAT, [1, 1, 0, 1, 1]),
    ],
    outputs=[helper.make_tensor_value_info("Tile_12", TensorProto.FLOAT, [1, 1, 0, 2, 1])],
    initializer=[
        helper.make_tensor("w_4", TensorProto.INT64, [5], [1, 1, 2, 1, 1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "Split_9": np.zeros([1, 1, 0, 1, 1], "float32"),
    "Split_8": np.zeros([1, 1, 0, 1, 1], "float32"),
}


def run(model, feeds):
    core = openvino.Core()
    properties = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU", properties)
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
