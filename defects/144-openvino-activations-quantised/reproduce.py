"""DequantizeLinear MatMul: wrong value (float)

DequantizeLinear of weights before MatMul makes the engine round float activations to int8.

MatMul: "behaves like numpy.matmul" on float x; nothing in the model quantises it.

Found with openvino@2026.4.1/f32 by assay 0.1.0 in the run for false alarms, reduced by hand, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import os
import sys
import tempfile

# Before the engine loads: kernels for newer instruction sets were not judged.
os.environ["ONEDNN_MAX_CPU_ISA"] = "AVX512_CORE_VNNI"
if "avx512_vnni" not in open("/proc/cpuinfo", encoding="utf-8").read():
    print("cannot be checked here: the processor lacks avx512_vnni")
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
        helper.make_node("DequantizeLinear", ["weights", "scale"], ["matrix"]),
        helper.make_node("MatMul", ["x", "matrix"], ["y"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 32])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2])],
    initializer=[
        helper.make_tensor("weights", TensorProto.INT8, [32, 2], [0, 1, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 6, 1, 7, 1, 8, 1,
        9, 1, 10, 1, 11, 1, 12, 1, 13, 1, 14, 1, 15, 1,
        16, 1, 17, 1, 18, 1, 19, 1, 20, 1, 21, 1, 22,
        1, 23, 1, 24, 1, 25, 1, 26, 1, 27, 1, 28, 1, 29,
        1, 30, 1, 31, 1]),
        helper.make_tensor("scale", TensorProto.FLOAT, [], [1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "x": np.array([1.0, 2.0, 5.0, 1e+01, 17.0, 26.0, 37.0, 5e+01, 65.0,
        82.0, 101.0, 122.0, 145.0, 1.7e+02, 197.0, 226.0,
        257.0, 2.9e+02, 325.0, 362.0, 401.0, 442.0, 485.0,
        5.3e+02, 577.0, 626.0, 677.0, 7.3e+02, 785.0,
        842.0, 901.0, 962.0], "float32").reshape([1, 32]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([246512.0, 10448.0], "float32").reshape([1, 2])


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
    observed = np.asarray(run(model, feeds)[0])
except Exception as error:
    print("cannot be compared, the model does not run:", error)
    sys.exit(2)
print("expected", expected.dtype, expected.shape)
print("observed", observed.dtype, observed.shape)
same = observed.dtype == expected.dtype and observed.shape == expected.shape
if same:
    x, r = observed.astype(float), expected.astype(float)
    wrong = ~np.isclose(x, r, rtol=0, atol=0.873, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
