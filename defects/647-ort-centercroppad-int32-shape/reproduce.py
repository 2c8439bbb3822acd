"""CenterCropPad: exception (float): Type parameter (T) of Optype (Max) bound to different types

CenterCropPad whose shape is of int32 is refused: the function body that stands in for a kernel takes Max of it and of an int64 Shape, "Type parameter (T) of Optype (Max) bound to different types".

CenterCropPad, shape: Tind, "tensor(int32), tensor(int64)".

Found with ort@1.32.0/off by assay 0.1.0, bug 958bebe6db, reduced further by hand, severity S3.
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
        helper.make_node("CenterCropPad", ["x", "w"], ["CenterCropPad_1"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [3, 4])],
    outputs=[helper.make_tensor_value_info("CenterCropPad_1", TensorProto.FLOAT, [2, 6])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT32, [2], [2, 6]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 18)],
    ir_version=8,
)
feeds = {
    "x": np.arange(12, dtype="float32").reshape([3, 4]),
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
