"""Sum: signal (float)

the engine died by signal 11 (SIGSEGV)

Found with mnn@3.6.1/high by assay 0.1.0, bug c3c0f630d7, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import subprocess
import sys
import tempfile

try:
    import numpy as np
    import _tools  # MNN's converter without MNN.tools, which installs a package when it is imported
    import MNN.expr
    import MNN.nn
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Sum", ["x"], ["Sum_1"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("Sum_1", TensorProto.FLOAT, [1, 1, 1, 1])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 18)],
    ir_version=8,
)
feeds = {
    "x": np.array([0.0], "float32").reshape([1, 1, 1, 1]),
}


def run(model, feeds):
    kinds = {"float32": MNN.expr.float, "int32": MNN.expr.int, "uint8": MNN.expr.uint8}
    outputs = [o.name for o in model.graph.output]
    variables = []
    for value in feeds.values():
        value = value.astype("int32") if value.dtype == "int64" else value
        variable = MNN.expr.placeholder(list(value.shape), MNN.expr.NCHW, kinds[value.dtype.name])
        variable.write(value)
        variables.append(variable)
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/model.onnx"
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        words = ["MNNConvert", "-f", "ONNX", "--modelFile", path, "--MNNModel", path + ".mnn"]
        _tools.mnnconvert([*words, "--bizCode", "script"])
        config = {"backend": 0, "precision": "high", "numThread": 1}
        manager = MNN.nn.create_runtime_manager((config,))
        module = MNN.nn.load_module_from_file(
            path + ".mnn", list(feeds), outputs, runtime_manager=manager
        )
        made = [MNN.expr.convert(y, MNN.expr.NCHW).read() for y in module.forward(variables)]
    declared = [helper.tensor_dtype_to_np_dtype(o.type.tensor_type.elem_type) for o in model.graph.output]
    same = [y.dtype.kind == t.kind or t == bool for y, t in zip(made, declared)]
    return [y.astype(t) if ok else y for y, t, ok in zip(made, declared, same)]


print("MNN", MNN.version())
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
