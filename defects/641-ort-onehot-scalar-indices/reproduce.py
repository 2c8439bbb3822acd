"""OneHot: exception (float): Indices tensor must have rank >= 1

OneHot of a scalar is refused by the shape inference: "Indices tensor must have rank >= 1".

OneHot: "The rank of the output tensor will be one greater than the rank of the input tensor", axis: "Accepted range is [-r-1, r] where r = rank(indices)": neither excludes r = 0.

Found with ort@1.32.0/off by assay 0.1.0, bug d0fccba6a2, reduced further by hand, severity S3.
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
        helper.make_node("OneHot", ["i", "w", "w_2"], ["OneHot_1"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("i", TensorProto.INT64, [])],
    outputs=[helper.make_tensor_value_info("OneHot_1", TensorProto.FLOAT, [4])],
    initializer=[
        helper.make_tensor("w", TensorProto.INT64, [], [4]),
        helper.make_tensor("w_2", TensorProto.FLOAT, [2], [0.0, 1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
feeds = {
    "i": np.array(2, "int64"),
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
