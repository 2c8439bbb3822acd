"""DequantizeLinear Gemm: exception

a valid model is refused: qdq_actions.cc:148 TransposeDQWeightsForMatMulNBits QDQ blockwise quantization shape exceeds the MLAS int32 index range.

Found with ort@1.31.1/all by assay 0.1.0, bug 7387efa357, severity S2.
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
        helper.make_node("DequantizeLinear", ["w_2", "w_3"], ["DequantizeLinear_6"]),
        helper.make_node("Gemm", ["Unsqueeze_2", "DequantizeLinear_6"], ["Gemm_7"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Unsqueeze_2", TensorProto.FLOAT, [1, 0])],
    outputs=[helper.make_tensor_value_info("Gemm_7", TensorProto.FLOAT, [1, 2])],
    initializer=[
        helper.make_tensor("w_2", TensorProto.INT8, [0, 2], []),
        helper.make_tensor("w_3", TensorProto.FLOAT, [], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 26)],
    ir_version=13,
)
feeds = {
    "Unsqueeze_2": np.zeros([1, 0], "float32"),
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
