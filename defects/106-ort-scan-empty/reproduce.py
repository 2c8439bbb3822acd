"""Scan: exception

A Scan over a sequence of no elements is refused: Invalid dim0_offset of 0. Dimension 0 is 0

Found with onnxruntime@1.31.1/off by assay 0.1.0, bug 247964ad5b, reduced further by hand, severity S3.
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

body = helper.make_graph(
    [
        helper.make_node("Min", ["state", "element"], ["state_out"]),
        helper.make_node("Abs", ["element"], ["element_out"]),
    ],
    "body",
    inputs=[
        helper.make_tensor_value_info("state", TensorProto.FLOAT, []),
        helper.make_tensor_value_info("element", TensorProto.FLOAT, []),
    ],
    outputs=[
        helper.make_tensor_value_info("state_out", TensorProto.FLOAT, []),
        helper.make_tensor_value_info("element_out", TensorProto.FLOAT, []),
    ],
)
graph = helper.make_graph(
    [
        helper.make_node("Scan", ["w", "x"], ["y", "z"], body=body, num_scan_inputs=1),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("w", TensorProto.FLOAT, []),
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [0]),
    ],
    outputs=[
        helper.make_tensor_value_info("y", TensorProto.FLOAT, []),
        helper.make_tensor_value_info("z", TensorProto.FLOAT, [0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 20)],
    ir_version=9,
)
feeds = {
    "w": np.array(1.5, "float32"),
    "x": np.zeros([0], "float32"),
}


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level off")
try:
    run(model, feeds)
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
