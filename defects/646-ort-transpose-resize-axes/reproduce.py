"""Transpose Resize Transpose: exception (float): indices element out of data bounds

A Transpose is moved through a Resize whose axes name some dims only: the pass permutes the scales as if there were one for each dim, and the Gather that it inserts is out of bounds; with sizes the session is refused. Where axes name all dims in another order the result is wrong without a word: axes (3, 2, 1, 0) of this model give (2, 3, 4, 2) instead of (1, 6, 4, 2).

Resize, axes: "it specifies a subset of axes that roi, scales and sizes refer to".

Found with ort@1.32.0/extended by assay 0.1.0, bug 976b67706b, reduced further by hand, severity S2.
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
        helper.make_node("Transpose", ["x"], ["Transpose_1"], perm=[0, 3, 1, 2]),
        helper.make_node(
            "Resize", ["Transpose_1", "", "w"], ["Resize_2"],
            axes=[2, 3], mode="nearest",
        ),
        helper.make_node("Transpose", ["Resize_2"], ["Transpose_3"], perm=[0, 2, 3, 1]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 4, 2])],
    outputs=[helper.make_tensor_value_info("Transpose_3", TensorProto.FLOAT, [1, 6, 4, 2])],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [2], [2.0, 1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 19)],
    ir_version=9,
)
feeds = {
    "x": np.arange(24, dtype="float32").reshape([1, 3, 4, 2]),
}


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED  # ORT_DISABLE_ALL is right
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level extended")
if not hasattr(ort.GraphOptimizationLevel, "ORT_ENABLE_EXTENDED"):
    print("cannot be checked here: this release has no such level")
    sys.exit(2)
try:
    run(model, feeds)
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    if any(text in str(error) for text in (
        "Could not find an implementation for",
        "Failed to find kernel for",
        "is not a registered function/op",
        "is not a registered operator",
        "No Op registered for",
        "is under development and support for this is limited",
        "Unsupported model IR version",
        "NOT_IMPLEMENTED :",
        "is currently not supported",
        "not implemented yet",
        "of input parameter (_inlfunc_",
        "Type 'tensor(bfloat16)' of input parameter",
        "must be a positive multiple of",
    )):
        print("cannot be checked here: the engine lacks what the model needs")
        sys.exit(2)
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
