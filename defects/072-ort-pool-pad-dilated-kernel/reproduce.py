"""MaxPool: exception

a valid model is refused: Exception during initialization: /onnxruntime_src/onnxruntime/core/providers/cpu/nn/pool_attributes.h:88 onnxruntime::PoolAttributes::PoolAttributes(const KernelInfoType&, const std::string&, int) [with KernelInfoType = onnxruntime::OpKernelInfo; std::string = std::__cxx11::basic_string<char>] pads[

Found with ort@1.31.1/off by assay 0.1.0, bug a1d7c54887, severity S3.
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
            "MaxPool", ["Relu_9"], ["MaxPool_10"],
            kernel_shape=[5, 1], dilations=[2, 1], pads=[0, 0, 8, 0],
        ),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Relu_9", TensorProto.FLOAT, [1, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("MaxPool_10", TensorProto.FLOAT, [1, 1, 1, 1])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "Relu_9": np.array([0.0], "float32").reshape([1, 1, 1, 1]),
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
