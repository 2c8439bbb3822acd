"""Pad AveragePool: exception

a valid model is refused: Exception during initialization: /onnxruntime_src/onnxruntime/core/providers/cpu/nn/pool_attributes.h:88 onnxruntime::PoolAttributes::PoolAttributes(const KernelInfoType&, const std::string&, int) [with KernelInfoType = onnxruntime::OpKernelInfo; std::string = std::__cxx11::basic_string<char>] pads[

Found with ort@1.31.1/all by assay 0.1.0, bug 1907e572fc, severity S2.
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
        helper.make_node("Pad", ["Unsqueeze_24", "w_10"], ["Pad_26"]),
        helper.make_node("AveragePool", ["Pad_26"], ["AveragePool_27"], kernel_shape=[1, 1]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Unsqueeze_24", TensorProto.FLOAT, [1, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("AveragePool_27", TensorProto.FLOAT, [1, 1, 3, 2])],
    initializer=[
        helper.make_tensor("w_10", TensorProto.INT64, [8], [0, 0, 1, 0, 0, 0, 1, 1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 22)],
    ir_version=10,
)
feeds = {
    "Unsqueeze_24": np.array([0.0], "float32").reshape([1, 1, 1, 1]),
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
    if "IR version" in str(error) or "is under development" in str(error):
        print("cannot be checked here: the release is older than the opset of the model")
        sys.exit(2)
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
