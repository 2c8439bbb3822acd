"""MatMul MatMul: exception

a valid model is refused: Exception from src/inference/src/cpp/core.cpp:117: Exception from src/inference/src/dev/plugin.cpp:54: Exception from src/common/snippets/src/utils/utils.cpp:71: Layout rank can't be larger than tensor rank   

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 983b62668a, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import os
import sys

# Before the engine loads: kernels for newer instruction sets were not judged.
os.environ["ONEDNN_MAX_CPU_ISA"] = "AVX512_CORE_VNNI"
if "avx2" not in open("/proc/cpuinfo", encoding="utf-8").read():
    print("cannot be checked here: the processor lacks avx2")
    sys.exit(2)

try:
    import numpy as np
    import openvino
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("MatMul", ["ReduceMean_30", "w_5"], ["MatMul_32"]),
        helper.make_node("MatMul", ["MatMul_32", "w_6"], ["MatMul_35"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("ReduceMean_30", TensorProto.FLOAT, [1, 1])],
    outputs=[helper.make_tensor_value_info("MatMul_35", TensorProto.FLOAT, [1, 1])],
    initializer=[
        helper.make_tensor("w_5", TensorProto.FLOAT, [1, 1], [0.0]),
        helper.make_tensor("w_6", TensorProto.FLOAT, [1, 1], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
feeds = {
    "ReduceMean_30": np.array([0.0], "float32").reshape([1, 1]),
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
