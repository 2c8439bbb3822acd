"""GatherND: exception (float)

a valid model is refused: running pass declutter'n'nCaused by:'n    0: declutter node #2 'GatherND_3' GatherNd'n    1: in output_facts invocation for GatherND_3-slice-axis-0: Slice'n    2: Condition failed: `end <= len` (3 vs 1)

Found with tract@0.23.9/default by assay 0.1.0, bug 8b7b41fef6, severity S3.
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
        helper.make_node("GatherND", ["Transpose_1", "w"], ["GatherND_3"], batch_dims=1),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Transpose_1", TensorProto.FLOAT, [1, 3, 1, 1])],
    outputs=[helper.make_tensor_value_info("GatherND_3", TensorProto.FLOAT, [1, 1, 1])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT64, [1, 1], [2]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "Transpose_1": np.array([0.0, 0.0, 0.0], "float32").reshape([1, 3, 1, 1]),
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
