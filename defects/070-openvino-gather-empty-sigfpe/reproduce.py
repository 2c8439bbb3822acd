"""Gather: signal

the engine died by signal 8

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 3da8d169b8, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import os
import subprocess
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
        helper.make_node("Gather", ["x", "Range_13"], ["Gather_14"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 0]),
        helper.make_tensor_value_info("Range_13", TensorProto.INT64, [0]),
    ],
    outputs=[helper.make_tensor_value_info("Gather_14", TensorProto.FLOAT, [0, 0])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
feeds = {
    "x": np.zeros([1, 0], "float32"),
    "Range_13": np.zeros([0], "int64"),
}


def run(model, feeds):
    core = openvino.Core()
    properties = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU", properties)
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
