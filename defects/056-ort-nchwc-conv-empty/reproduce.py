"""Conv: exception

a valid model is refused: Non-zero status code returned while running Conv node. Name:'Conv_15_nchwc' Status Message: nchwc_ops.cc:172 Compute NCHWc Conv input and output channels must be greater than 0.

Found with ort@1.31.1/all by assay 0.1.0, bug d1b1aa9723, severity S2.
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
        helper.make_node(
            "Constant", [], ["Constant_13"],
            value=helper.make_tensor("", TensorProto.FLOAT, [4, 0, 4, 1], []),
        ),
        helper.make_node("Conv", ["Pad_12", "Constant_13"], ["Conv_15"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Pad_12", TensorProto.FLOAT, [1, 0, 5, 1])],
    outputs=[helper.make_tensor_value_info("Conv_15", TensorProto.FLOAT, [1, 4, 2, 1])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "Pad_12": np.zeros([1, 0, 5, 1], "float32"),
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
