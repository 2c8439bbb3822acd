"""Unsqueeze+ReduceProd: exception (float)

The pass that pulls Unsqueeze through a reduction (131) holds a negative axis against the smaller rank and throws: "Axis -3 out of the tensor rank range [-2, 1]". Axis 0 runs.

ReduceProd, `axes`: "Accepted range is [-r, r-1] where r = rank(data)", here 3.

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 46b7685342, severity S3.
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

graph = helper.make_graph(
    [
        helper.make_node("Unsqueeze", ["x", "w"], ["Unsqueeze_2"]),
        helper.make_node("ReduceProd", ["Unsqueeze_2", "w_2"], ["ReduceProd_4"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1])],
    outputs=[helper.make_tensor_value_info("ReduceProd_4", TensorProto.FLOAT, [1, 1, 1])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT64, [1], [1]),
        helper.make_tensor("w_2", TensorProto.INT64, [1], [-3]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "x": np.array([0.0], "float32").reshape([1, 1]),
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
