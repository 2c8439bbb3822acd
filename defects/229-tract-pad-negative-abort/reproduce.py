"""Pad: abort (float)

the engine died by signal 6 (SIGABRT)

Found with tract@0.23.9/default by assay 0.1.0, bug 36de6eaf9a, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import subprocess
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
        helper.make_node("Pad", ["GatherElements_3", "w_2"], ["Pad_5"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("GatherElements_3", TensorProto.FLOAT, [1, 2])],
    outputs=[helper.make_tensor_value_info("Pad_5", TensorProto.FLOAT, [1, 1])],
    initializer=[
        helper.make_tensor("w_2", TensorProto.INT64, [4], [0, 0, 0, -1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 16)],
    ir_version=8,
)
feeds = {
    "GatherElements_3": np.array([0.0, 0.0], "float32").reshape([1, 2]),
}


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
