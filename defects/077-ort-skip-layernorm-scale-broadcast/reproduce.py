"""Add LayerNormalization: exception

a valid model is refused: Non-zero status code returned while running SkipLayerNormalization node. Name:'SkipLayerNormalization' Status Message: Last dimension of gamma and input does not match

Found with ort@1.31.1/all by assay 0.1.0, bug 0acfe2929d, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

try:
    import numpy as np
    import onnxruntime as ort
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Add", ["Add_5", "Add_5"], ["Add_6"]),
        helper.make_node("LayerNormalization", ["Add_6", "w_2"], ["LayerNormalization_8"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Add_5", TensorProto.FLOAT, [1, 1, 2])],
    outputs=[helper.make_tensor_value_info("LayerNormalization_8", TensorProto.FLOAT, [1, 1, 2])],
    initializer=[
        helper.make_tensor("w_2", TensorProto.FLOAT, [1], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 18)],
    ir_version=8,
)
feeds = {
    "Add_5": np.array([0.0, 0.0], "float32").reshape([1, 1, 2]),
}


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL  # ORT_DISABLE_ALL is right
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level all")
try:
    run(model, feeds)
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
