"""QuantizeLinear: exception (float): block_size must be 0 for per-tensor quantization

Quantisation of a vector in one block is refused: a scale of shape (1) is taken for one of the whole tensor, and "block_size must be 0 for per-tensor quantization". The same as (1, 4) with a scale of shape (1, 1) runs.

QuantizeLinear: "Blocked quantization: ... y_scale shape is (D0, ..., ceil(Di/B), ..., Dn)", here ceil(4/4) = 1; "Per-tensor (per-layer) quantization: y_scale is a scalar".

Found with ort@1.32.0/off by assay 0.1.0, bug 41f5643e8c, reduced further by hand, severity S3.
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
            "QuantizeLinear", ["x", "w"], ["QuantizeLinear_1"],
            axis=0, block_size=4,
        ),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [4])],
    outputs=[helper.make_tensor_value_info("QuantizeLinear_1", TensorProto.UINT8, [4])],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [1], [1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "x": np.array([1.0, 2.0, 3.0, 4.0], "float32"),
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
