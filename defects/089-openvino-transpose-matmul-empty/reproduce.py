"""Transpose MatMul: exception

a valid model is refused: Exception from src/inference/src/cpp/core.cpp:117: Exception from src/inference/src/dev/plugin.cpp:54: object is not initialized  

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug c7147bf330, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import os
import sys

# Before the engine loads: kernels for newer instruction sets were not judged.
os.environ["ONEDNN_MAX_CPU_ISA"] = "AVX512_CORE_VNNI"

try:
    import numpy as np
    import openvino
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Transpose", ["x"], ["Transpose_1"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["Transpose_1", "p"], ["MatMul_3"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 0]),
        helper.make_tensor_value_info("p", TensorProto.FLOAT, [1, 1]),
    ],
    outputs=[helper.make_tensor_value_info("MatMul_3", TensorProto.FLOAT, [1, 0, 1])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 22)],
    ir_version=10,
)
feeds = {
    "x": np.zeros([1, 1, 0], "float32"),
    "p": np.array([0.0], "float32").reshape([1, 1]),
}


def run(model, feeds):
    core = openvino.Core()
    properties = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU", properties)
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
