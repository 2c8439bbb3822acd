"""GRU: exception (float)

GRU, LSTM and RNN of no steps and batch 2 are refused: "could not create a primitive descriptor"; LSTM with layout 1 dies by SIGFPE. GRU and LSTM of batch 1 run (and err by 095).

Nothing forbids a dim of 0; GRU, `Y`: "It has shape `[seq_length, num_directions, batch_size, hidden_size]`": (0, 1, 2, 1).

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug f468341be5, severity S3.
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
            "GRU", ["Cast_4", "w", "w_2"], ["GRU_6"],
            hidden_size=1, linear_before_reset=1,
        ),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Cast_4", TensorProto.FLOAT, [0, 2, 3])],
    outputs=[helper.make_tensor_value_info("GRU_6", TensorProto.FLOAT, [0, 1, 2, 1])],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [1, 3, 3], [0.0] * 9),
        helper.make_tensor("w_2", TensorProto.FLOAT, [1, 3, 1], [0.0, 0.0, 0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "Cast_4": np.zeros([0, 2, 3], "float32"),
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
