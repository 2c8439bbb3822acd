"""Loop: exception (float)

A Loop with a constant trip count over a carried tensor without elements is refused by an internal check: "Can not create StaticMemory object". With the trip count as input it runs.

Nothing forbids a dim of 0; Loop, `v_initial`: "The initial values of any loop-carried dependencies".

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug c9acaa2b24, severity S3.
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

body_1 = helper.make_graph(
    [
        helper.make_node("Identity", ["go_2"], ["body_0_2"]),
        helper.make_node("Identity", ["carried_2"], ["body_1_2"]),
    ],
    "body_1",
    inputs=[
        helper.make_tensor_value_info("round_2", TensorProto.INT64, []),
        helper.make_tensor_value_info("go_2", TensorProto.BOOL, []),
        helper.make_tensor_value_info("carried_2", TensorProto.FLOAT, [0, 1, 1]),
    ],
    outputs=[
        helper.make_tensor_value_info("body_0_2", TensorProto.BOOL, []),
        helper.make_tensor_value_info("body_1_2", TensorProto.FLOAT, [0, 1, 1]),
    ],
)
graph = helper.make_graph(
    [
        helper.make_node("Loop", ["w", "", "x"], ["Loop_2"], body=body_1),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [0, 1, 1])],
    outputs=[helper.make_tensor_value_info("Loop_2", TensorProto.FLOAT, [0, 1, 1])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT64, [], [1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 20)],
    ir_version=9,
)
feeds = {
    "x": np.zeros([0, 1, 1], "float32"),
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
try:
    run(model, feeds)
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
