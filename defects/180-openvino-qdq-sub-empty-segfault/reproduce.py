"""QLinearConv Expand Sub: signal

The process dies by SIGSEGV while compiling a model with any Q/DQ in which a constant without elements (an Expand of one) is the first operand of Sub. Without Q/DQ, and of Add or Mul, it runs; 024 and 032, of the same key, have a Concat.

Nothing forbids a dim of 0; a refusal would be an error, a crash is none.

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug ee8355c5dc, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import os
import subprocess
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
            "QLinearConv", ["QuantizeLinear_4", "w", "w_2", "w_3", "w_4", "w_5", "w_6", "w_7"], ["QLinearConv_11"],
        ),
        helper.make_node("Expand", ["w_11", "w_12"], ["Expand_19"]),
        helper.make_node("Sub", ["Expand_19", "ReduceLogSum_16"], ["Sub_20"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("QuantizeLinear_4", TensorProto.UINT8, [0, 1, 1, 1]),
        helper.make_tensor_value_info("ReduceLogSum_16", TensorProto.FLOAT, [0, 1, 1, 1]),
    ],
    outputs=[
        helper.make_tensor_value_info("QLinearConv_11", TensorProto.UINT8, [0, 2, 1, 1]),
        helper.make_tensor_value_info("Sub_20", TensorProto.FLOAT, [0, 1, 1, 1]),
    ],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_2", TensorProto.UINT8, [], [128]),
        helper.make_tensor("w_3", TensorProto.INT8, [2, 1, 1, 1], [8, -32]),
        helper.make_tensor("w_4", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_5", TensorProto.INT8, [], [0]),
        helper.make_tensor("w_6", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_7", TensorProto.UINT8, [], [128]),
        helper.make_tensor("w_11", TensorProto.FLOAT, [0, 1, 1, 1], b"", raw=True),
        helper.make_tensor("w_12", TensorProto.INT64, [4], [0, 1, 1, 1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 22)],
    ir_version=10,
)
feeds = {
    "QuantizeLinear_4": np.zeros([0, 1, 1, 1], "uint8"),
    "ReduceLogSum_16": np.zeros([0, 1, 1, 1], "float32"),
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
