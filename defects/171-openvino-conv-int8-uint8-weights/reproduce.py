"""exception

A Conv of int8 activations with uint8 weights (both of zero point 0 or none) before QuantizeLinear is fused into a node that the engine cannot run: "No suitable implementations". Without the last QuantizeLinear it runs.

DequantizeLinear 10 and later list int8 and uint8; what follows is a Conv of floats.

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug a368566117, severity S3.
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
        helper.make_node("DequantizeLinear", ["w", "w_2"], ["DequantizeLinear_4"]),
        helper.make_node("QuantizeLinear", ["Unsqueeze_1", "w_3", "w_4"], ["QuantizeLinear_7"]),
        helper.make_node(
            "DequantizeLinear", ["QuantizeLinear_7", "w_5"], ["DequantizeLinear_10"],
        ),
        helper.make_node("Conv", ["DequantizeLinear_10", "DequantizeLinear_4"], ["Conv_11"]),
        helper.make_node("QuantizeLinear", ["Conv_11", "w_8"], ["QuantizeLinear_16"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Unsqueeze_1", TensorProto.FLOAT, [1, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("QuantizeLinear_16", TensorProto.UINT8, [1, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w", TensorProto.UINT8, [1, 1, 1, 1], [28]),
        helper.make_tensor("w_2", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_3", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_4", TensorProto.INT8, [], [0]),
        helper.make_tensor("w_5", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_8", TensorProto.FLOAT, [], [1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 11)],
    ir_version=6,
)
feeds = {
    "Unsqueeze_1": np.array([0.0], "float32").reshape([1, 1, 1, 1]),
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
