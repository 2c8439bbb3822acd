"""Conv: signal (float)

the engine died by signal 8 (SIGFPE)

Found with opencv@5.0.0.93/new by assay 0.1.0, bug 1afe1d0be1, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import subprocess
import sys

try:
    import numpy as np
    import cv2
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Conv", ["image", "w"], ["Conv_2"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("image", TensorProto.FLOAT, [0, 1, 2, 16])],
    outputs=[helper.make_tensor_value_info("Conv_2", TensorProto.FLOAT, [0, 2, 2, 16])],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [2, 1, 1, 1], [0.0, 0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "image": np.zeros([0, 1, 2, 16], "float32"),
}


def run(model, feeds):
    data = np.frombuffer(model.SerializeToString(), np.uint8)
    net = cv2.dnn.readNetFromONNX(data, cv2.dnn.ENGINE_NEW)
    for name, value in feeds.items():
        net.setInput(value, name)
    declared = [helper.tensor_dtype_to_np_dtype(o.type.tensor_type.elem_type) for o in model.graph.output]
    made = [np.asarray(y) for y in net.forward([o.name for o in model.graph.output])]
    return [y.astype(t) if y.dtype.kind == t.kind else y for y, t in zip(made, declared)]


print("opencv", cv2.__version__, "engine ENGINE_NEW")
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
