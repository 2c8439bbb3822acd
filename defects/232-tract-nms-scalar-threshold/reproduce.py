"""NonMaxSuppression: exception (int64)

a valid model is refused: Failed analyse for node #3 'NonMaxSuppression_20' NonMaxSuppression'n'nCaused by:'n    0: Infering facts'n    1: Applying rule inputs[2].rank == 1'n    2: Impossible to unify 0 with 1.

Found with tract@0.23.9/default by assay 0.1.0, bug d98b23232e, severity S3.
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
        helper.make_node(
            "NonMaxSuppression", ["w_11", "Unsqueeze_16", "", "w_13"], ["NonMaxSuppression_20"],
        ),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Unsqueeze_16", TensorProto.FLOAT, [1, 1, 1])],
    outputs=[helper.make_tensor_value_info("NonMaxSuppression_20", TensorProto.INT64, [None, 3])],
    initializer=[
        helper.make_tensor("w_11", TensorProto.FLOAT, [1, 1, 4], [0.0, 0.0, 0.0, 0.0]),
        helper.make_tensor("w_13", TensorProto.FLOAT, [], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 18)],
    ir_version=8,
)
feeds = {
    "Unsqueeze_16": np.array([0.0], "float32").reshape([1, 1, 1]),
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
