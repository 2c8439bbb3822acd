"""MatMulInteger+PRelu: exception (int32)

PRelu with a slope per channel behind a product of rank 4 is refused by an internal check: "data size: 2 OC: 1". The slope is taken along the last dim.

PRelu: "tensor slope should be unidirectional broadcastable to input tensor X": (2, 1, 1) goes along dim 1 of (1, 2, 1, 1).

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 779d393edd, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import os
import sys
import tempfile

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
        helper.make_node(
            "Constant", [], ["Constant_9"],
            value=helper.make_tensor("", TensorProto.UINT8, [1, 1], [2]),
        ),
        helper.make_node(
            "MatMulInteger", ["QuantizeLinear_8", "Constant_9"], ["MatMulInteger_10"],
        ),
        helper.make_node("PRelu", ["MatMulInteger_10", "w_4"], ["PRelu_15"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("w_4", TensorProto.INT32, [2, 1, 1]),
        helper.make_tensor_value_info("QuantizeLinear_8", TensorProto.INT8, [1, 2, 1, 1]),
    ],
    outputs=[helper.make_tensor_value_info("PRelu_15", TensorProto.INT32, [1, 2, 1, 1])],
    initializer=[
        helper.make_tensor("w_4", TensorProto.INT32, [2, 1, 1], [1, 3]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "QuantizeLinear_8": np.array([0, -43], "int8").reshape([1, 2, 1, 1]),
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
