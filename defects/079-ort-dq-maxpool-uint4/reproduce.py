"""DequantizeLinear MaxPool: exception

a valid model is refused: This is an invalid model. Type Error: Type 'tensor(uint4)' of input parameter (QuantizeLinear_4) of operator (MaxPool) in node () is invalid.

Found with ort@1.31.1/all by assay 0.1.0, bug f9b8b76d4f, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

try:
    import onnxruntime as ort
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node(
            "DequantizeLinear", ["QuantizeLinear_4", "w_3", "w_4"], ["DequantizeLinear_7"],
        ),
        helper.make_node("MaxPool", ["DequantizeLinear_7"], ["MaxPool_8"], kernel_shape=[1, 1]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("QuantizeLinear_4", TensorProto.UINT4, [1, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("MaxPool_8", TensorProto.FLOAT, [1, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w_3", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("w_4", TensorProto.UINT4, [], [7]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "QuantizeLinear_4": numpy_helper.to_array(helper.make_tensor("", TensorProto.UINT4, [1, 1, 1, 1], [8])),
}


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level all")
try:
    run(model, feeds)
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    if "can't be converted to MLDataType" not in str(error):  # Python has no tensors of 4 bits: the session is made.
        print("the bug is there")
        sys.exit(1)
print("as expected: the model runs")
