"""Concat: exception (float): Can't merge shape info

Axes of Slice whose shape is not known when the session is made count as not given: the shape is inferred for axis 0, and the Concat behind is refused ("Inferred=1 Declared=2 Dimension=0"). LessOrEqual before opset 16 leaves the shape of the axes unknown; without it the model runs.

Slice: "If axes are omitted, they are set to [0, ..., r-1]": here they are given, and are 1.

Found with ort@1.32.0/off by assay 0.1.0, bug 096c621223, reduced further by hand, severity S3.
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
        helper.make_node("LessOrEqual", ["axes", "p"], ["LessOrEqual_1"]),
        helper.make_node("Where", ["LessOrEqual_1", "axes", "w_3"], ["Where_2"]),
        helper.make_node("Slice", ["x", "w", "w_2", "Where_2"], ["Slice_3"]),
        helper.make_node("Concat", ["x", "Slice_3"], ["Concat_4"], axis=-1),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 4]),
        helper.make_tensor_value_info("axes", TensorProto.INT64, [1]),
        helper.make_tensor_value_info("p", TensorProto.INT64, [1]),
    ],
    outputs=[helper.make_tensor_value_info("Concat_4", TensorProto.FLOAT, [2, None])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT64, [1], [1]),
        helper.make_tensor("w_2", TensorProto.INT64, [1], [3]),
        helper.make_tensor("w_3", TensorProto.INT64, [1], [0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
feeds = {
    "x": np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], "float32").reshape([2, 4]),
    "axes": np.array([1], "int64"),
    "p": np.array([3], "int64"),
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
if not hasattr(ort.GraphOptimizationLevel, "ORT_DISABLE_ALL"):
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
