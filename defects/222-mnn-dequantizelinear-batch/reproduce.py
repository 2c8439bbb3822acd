"""DequantizeLinear: wrong shape (float)

output DequantizeLinear_10 has the shape [1,2,1,1], the standard gives [2,1,1,1]

Found with mnn@3.6.1/high by assay 0.1.0, bug 16bb2b2f9c, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

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
        helper.make_node(
            "DequantizeLinear", ["QuantizeLinear_9", "w"], ["DequantizeLinear_10"],
        ),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("QuantizeLinear_9", TensorProto.UINT8, [2, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("DequantizeLinear_10", TensorProto.FLOAT, [2, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [], [1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 19)],
    ir_version=9,
)
feeds = {
    "QuantizeLinear_9": np.array([0, 0], "uint8").reshape([2, 1, 1, 1]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.0, 0.0], "float32").reshape([2, 1, 1, 1])


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
    wrong = ~np.isclose(x, r, rtol=0, atol=0, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
