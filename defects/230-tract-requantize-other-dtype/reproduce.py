"""DequantizeLinear+QuantizeLinear: internal-error (int8)

a valid model is refused: running pass declutter'n'nCaused by:'n    0: declutter node #1 'DequantizeLinear_109' DequantizeLinearF32'n    1: Trying to substitute a 1,1,1,1,I8 by 1,1,1,1,U8 as output #0 of #2 'QuantizeLinear_113' QuantizeLinearI8.'n       ModelPatch { context: [], dont_apply_twice: None, model: Graph { nodes: [Node

Found with tract@0.23.9/default by assay 0.1.0, bug 2439d60659, severity S2.
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
            "DequantizeLinear", ["QuantizeLinear_106", "w_63"], ["DequantizeLinear_109"],
        ),
        helper.make_node(
            "QuantizeLinear", ["DequantizeLinear_109", "w_65", "w_66"], ["QuantizeLinear_113"],
        ),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("QuantizeLinear_106", TensorProto.UINT8, [1, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("QuantizeLinear_113", TensorProto.INT8, [1, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w_63", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_65", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_66", TensorProto.INT8, [], [0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "QuantizeLinear_106": np.array([194], "uint8").reshape([1, 1, 1, 1]),
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
