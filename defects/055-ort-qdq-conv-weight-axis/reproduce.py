"""DequantizeLinear DequantizeLinear Conv QuantizeLinear: exception

a valid model is refused: Non-zero status code returned while running QLinearConv node. Name:'_token_2' Status Message: /onnxruntime_src/onnxruntime/core/providers/cpu/quantization/qlinearconv.cc:93 static std::vector<float> onnxruntime::QLinearConv<ActType>::ComputeOutputScale(onnxruntime::OpKernelContext*, int64_t) [with A

Found with ort@1.31.1/all by assay 0.1.0, bug 31629369ac, severity S2.
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
        helper.make_node("DequantizeLinear", ["w_15", "w_16"], ["DequantizeLinear_30"]),
        helper.make_node(
            "DequantizeLinear", ["QuantizeLinear_33", "w_19"], ["DequantizeLinear_36"],
        ),
        helper.make_node("Conv", ["DequantizeLinear_36", "DequantizeLinear_30"], ["Conv_37"]),
        helper.make_node("QuantizeLinear", ["Conv_37", "w_21"], ["QuantizeLinear_40"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("QuantizeLinear_33", TensorProto.UINT8, [1, 2, 1, 1])],
    outputs=[helper.make_tensor_value_info("QuantizeLinear_40", TensorProto.UINT8, [1, 3, 1, 1])],
    initializer=[
        helper.make_tensor("w_15", TensorProto.INT8, [3, 2, 1, 1], [8, 64, 56, -64, 64, -40]),
        helper.make_tensor("w_16", TensorProto.FLOAT, [2], [0.0, 0.0]),
        helper.make_tensor("w_19", TensorProto.FLOAT, [], [0.0]),
        helper.make_tensor("w_21", TensorProto.FLOAT, [], [1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "QuantizeLinear_33": np.array([0, 0], "uint8").reshape([1, 2, 1, 1]),
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
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
