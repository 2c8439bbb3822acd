"""Gemm: exception (double)

a valid model is refused: Evaluating #6 'Gemm_5.beta_c' Mul'n'nCaused by:'n    Tensor datum type error: tensor is F32, accessed as F64

Found with tract@0.23.9/default by assay 0.1.0, bug 731f27914b, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys
import tempfile

try:
    import numpy as np
    import tract
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Gemm", ["Reshape_2", "p", "p_2"], ["Gemm_5"], beta=-1.0),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("p", TensorProto.DOUBLE, [1, 1]),
        helper.make_tensor_value_info("p_2", TensorProto.DOUBLE, [1, 1]),
        helper.make_tensor_value_info("Reshape_2", TensorProto.DOUBLE, [1, 1]),
    ],
    outputs=[helper.make_tensor_value_info("Gemm_5", TensorProto.DOUBLE, [1, 1])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 18)],
    ir_version=8,
)
feeds = {
    "p": np.array([0.0], "float64").reshape([1, 1]),
    "p_2": np.array([0.0], "float64").reshape([1, 1]),
    "Reshape_2": np.array([0.0], "float64").reshape([1, 1]),
}


def run(model, feeds):
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/model.onnx"
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        loaded = tract.onnx().load(path)
        names = [loaded.input_name(i) for i in range(loaded.input_count())]
        made = loaded.into_model().into_runnable().run([feeds[name] for name in names])
    return [y.to_numpy() for y in made]


print("tract", tract.version())
try:
    run(model, feeds)
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
