"""Conv: wrong bits (float)

A Conv over no input channels gives uninitialised memory: two runs give two numbers.

Conv over nothing is an empty sum, 0.

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 6e29e8833a, severity S3.
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
        helper.make_node("Conv", ["Atanh_4", "p"], ["Conv_11"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("p", TensorProto.FLOAT, [1, 0, 1]),
        helper.make_tensor_value_info("Atanh_4", TensorProto.FLOAT, [1, 0, 1]),
    ],
    outputs=[helper.make_tensor_value_info("Conv_11", TensorProto.FLOAT, [1, 1, 1])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 23)],
    ir_version=11,
)
feeds = {
    "p": np.zeros([1, 0, 1], "float32"),
    "Atanh_4": np.zeros([1, 0, 1], "float32"),
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
outputs = [np.asarray(run(model, feeds)[0]).tobytes() for _ in range(21)]
print(len(set(outputs)), "different results of 21 runs with one input")
print("as expected" if len(set(outputs)) == 1 else "the bug is there")
sys.exit(0 if len(set(outputs)) == 1 else 1)
