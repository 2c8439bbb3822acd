"""LRN: exception

a valid model is refused: Non-zero status code returned while running LRN node. Name:'' Status Message: /onnxruntime_src/onnxruntime/core/providers/cpu/nn/lrn.cc:59 onnxruntime::common::Status onnxruntime::LRN<T>::Compute(onnxruntime::OpKernelContext*) const [with T = float] X_shape.NumDimensions() == 4 was false.  

Found with ort@1.31.1/off by assay 0.1.0, bug 636522b2ff, severity S3.
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
        helper.make_node("LRN", ["Unsqueeze_26"], ["LRN_27"], size=3),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Unsqueeze_26", TensorProto.FLOAT, [1, 1, 1])],
    outputs=[helper.make_tensor_value_info("LRN_27", TensorProto.FLOAT, [1, 1, 1])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "Unsqueeze_26": np.array([0.0], "float32").reshape([1, 1, 1]),
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
