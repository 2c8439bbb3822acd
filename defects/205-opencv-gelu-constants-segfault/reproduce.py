"""Div Erf Add Mul Mul: signal

the engine died by signal 11 (SIGSEGV)

Found with opencv@5.0.0.93/new by assay 0.1.0, bug bf4015a7f7, severity S2.
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
        helper.make_node("Div", ["Conv_43", "w_5"], ["Div_51"]),
        helper.make_node("Erf", ["Div_51"], ["Erf_52"]),
        helper.make_node("Add", ["w_6", "Erf_52"], ["Add_54"]),
        helper.make_node("Mul", ["Conv_43", "Add_54"], ["Mul_56"]),
        helper.make_node("Mul", ["Mul_56", "w_7"], ["Mul_57"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Conv_43", TensorProto.FLOAT, [1, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("Mul_57", TensorProto.FLOAT, [1, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w_5", TensorProto.FLOAT, [], [1.4142135]),
        helper.make_tensor("w_6", TensorProto.FLOAT, [1, 1, 1, 1], [0.0]),
        helper.make_tensor("w_7", TensorProto.FLOAT, [], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "Conv_43": np.array([0.0], "float32").reshape([1, 1, 1, 1]),
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
