"""abort

The heap is corrupted while compiling (SIGABRT or SIGSEGV): an If with a constant condition gives a tensor without elements to an Equal or Add that broadcasts. With the condition as input, with elements or without broadcasting it runs.

Nothing forbids a dim of 0; If: "Values that are live-out to the enclosing scope", Equal: "multidirectional (i.e., Numpy-style) broadcasting".

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 5b0111d4f7, severity S0.
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

body_2 = helper.make_graph(
    [
        helper.make_node("Sign", ["Cast_5"], ["else_8"]),
    ],
    "body_2",
    inputs=[],
    outputs=[helper.make_tensor_value_info("else_8", TensorProto.FLOAT, [0, 2, 7, 1])],
)
body_1 = helper.make_graph(
    [
        helper.make_node("Sign", ["Cast_5"], ["then_8"]),
    ],
    "body_1",
    inputs=[],
    outputs=[helper.make_empty_tensor_value_info("then_8")],
)
graph = helper.make_graph(
    [
        helper.make_node("If", ["w_3"], ["If_7"], then_branch=body_1, else_branch=body_2),
        helper.make_node("Unsqueeze", ["If_7"], ["Unsqueeze_8"], axes=[0]),
        helper.make_node("Equal", ["Unsqueeze_8", "w_4"], ["Equal_10"]),
        helper.make_node("Cast", ["Identity_4"], ["Cast_11"], to=1),
        helper.make_node("Reshape", ["Cast_11", "Constant_12"], ["Reshape_13"]),
        helper.make_node(
            "InstanceNormalization", ["Reshape_13", "w_5", "w_6"], ["InstanceNormalization_16"],
        ),
        helper.make_node(
            "Reshape", ["InstanceNormalization_16", "Constant_17"], ["Reshape_18"],
        ),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("Identity_4", TensorProto.INT8, [0, 1, 1, 1]),
        helper.make_tensor_value_info("Cast_5", TensorProto.FLOAT, [0, 2, 7, 1]),
        helper.make_tensor_value_info("Constant_12", TensorProto.INT64, [3]),
        helper.make_tensor_value_info("Constant_17", TensorProto.INT64, [4]),
    ],
    outputs=[
        helper.make_tensor_value_info("If_7", TensorProto.FLOAT, [0, 2, 7, 1]),
        helper.make_tensor_value_info("Equal_10", TensorProto.BOOL, [1, 0, 2, 7, 2]),
        helper.make_tensor_value_info("Reshape_18", TensorProto.FLOAT, [None, None, None, None]),
    ],
    initializer=[
        helper.make_tensor("w_3", TensorProto.BOOL, [], [False]),
        helper.make_tensor("w_4", TensorProto.FLOAT, [2], [0.0, 0.0]),
        helper.make_tensor("w_5", TensorProto.FLOAT, [4], [0.0, 0.0, 0.0, 0.0]),
        helper.make_tensor("w_6", TensorProto.FLOAT, [4], [0.0, 0.0, 0.0, 0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 12)],
    ir_version=7,
)
feeds = {
    "Identity_4": np.zeros([0, 1, 1, 1], "int8"),
    "Cast_5": np.zeros([0, 2, 7, 1], "float32"),
    "Constant_12": np.array([0, 4, 1], "int64"),
    "Constant_17": np.array([0, 4, 7, 1], "int64"),
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
