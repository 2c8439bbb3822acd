"""Div: wrong value (float)

expected 0, got -0.999979973; relative error 1.00e+00, at most 2.02e-06 is honest

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 6e12f746c0, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import os
import sys

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
        helper.make_node("ReduceMean", ["x", "w"], ["ReduceMean_2"], keepdims=0),
        helper.make_node("Sub", ["x", "ReduceMean_2"], ["Sub_3"]),
        helper.make_node("Mul", ["Sub_3", "Sub_3"], ["Mul_4"]),
        helper.make_node("ReduceMean", ["Mul_4", "w_2"], ["ReduceMean_6"]),
        helper.make_node(
            "Constant", [], ["Constant_7"],
            value=helper.make_tensor("", TensorProto.FLOAT, [], [1e-05]),
        ),
        helper.make_node("Add", ["ReduceMean_6", "Constant_7"], ["Add_8"]),
        helper.make_node("Sqrt", ["Add_8"], ["Sqrt_9"]),
        helper.make_node("Div", ["Sub_3", "Sqrt_9"], ["Div_10"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2, 2])],
    outputs=[helper.make_tensor_value_info("Div_10", TensorProto.FLOAT, [1, 2, 2])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT64, [1], [-1]),
        helper.make_tensor("w_2", TensorProto.INT64, [1], [-1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "x": np.array([0.0, 0.0, 0.0, 1.0], "float32").reshape([1, 2, 2]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.0, -1.414157, 0.0, 1.414157], "float32").reshape([1, 2, 2])


def run(model, feeds):
    core = openvino.Core()
    properties = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU", properties)
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
    wrong = ~np.isclose(x, r, rtol=0, atol=2.86e-06, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
