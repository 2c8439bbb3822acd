"""AffineGrid: exception (float16): axis 1 is not in valid range [-1,0]

AffineGrid of float16 fails for a batch of 1: the function body that stands in for a kernel squeezes the batch away, and its Split meets "axis 1 is not in valid range [-1,0]". A batch of 2 runs, and so do float and double.

AffineGrid: "theta: input batch of affine matrices with shape (N, 2, 3) for 2D", T1: float16 allowed; N may be 1.

Found with ort@1.32.0/off by assay 0.1.0, bug f0f355f4cf, reduced further by hand, severity S3.
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
        helper.make_node("AffineGrid", ["theta", "w"], ["AffineGrid_1"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("theta", TensorProto.FLOAT16, [1, 2, 3])],
    outputs=[helper.make_tensor_value_info("AffineGrid_1", TensorProto.FLOAT16, [1, 4, 3, 2])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT64, [4], [1, 2, 4, 3]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 20)],
    ir_version=9,
)
feeds = {
    "theta": np.array([1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "float16").reshape([1, 2, 3]),
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
