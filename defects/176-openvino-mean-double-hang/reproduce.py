"""Mean: timeout-cpu (double)

Compiling a Mean of three constants of double does not end (no answer after 20 s). Of two constants, and of float, it runs.

Mean: "Element-wise mean of each of the input tensors", T: double allowed.

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 9e1792c58d, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import subprocess
import sys
import tempfile

try:
    import openvino
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node(
            "Constant", [], ["Constant_4"],
            value=helper.make_tensor("", TensorProto.DOUBLE, [], [0.5]),
        ),
        helper.make_node(
            "Constant", [], ["Constant_5"],
            value=helper.make_tensor("", TensorProto.DOUBLE, [2, 1], [2.0, 2.0]),
        ),
        helper.make_node(
            "Constant", [], ["Constant_6"],
            value=helper.make_tensor("", TensorProto.DOUBLE, [1, 1, 2, 4], [-1.75, -2.0, 2.0, -1.75, -2.0, 1.25, 0.75, 1.0]),
        ),
        helper.make_node("Mean", ["Constant_4", "Constant_5", "Constant_6"], ["Mean_7"]),
    ],
    "graph",
    inputs=[],
    outputs=[helper.make_tensor_value_info("Mean_7", TensorProto.DOUBLE, [1, 1, 2, 4])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {}


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
    code = subprocess.run([sys.executable, __file__, "run"], timeout=20).returncode
except subprocess.TimeoutExpired:
    code = "no answer in 20 s"
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
