"""MatMul Add: exception

a valid model is refused: Non-zero status code returned while running Reshape node. Name:'gemm_input_reshape' Status Message: /onnxruntime_src/onnxruntime/core/providers/cpu/tensor/reshape_helper.h:91 onnxruntime::ReshapeHelper::ReshapeHelper(const onnxruntime::TensorShape&, onnxruntime::TensorShapeVector&, bool) input_shape

Found with ort@1.31.1/all by assay 0.1.0, bug 602fd059b6, severity S2.
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
        helper.make_node("MatMul", ["Cast_3", "w"], ["MatMul_5"]),
        helper.make_node("Add", ["w_2", "MatMul_5"], ["Add_7"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Cast_3", TensorProto.FLOAT, [1, 1, 0])],
    outputs=[helper.make_tensor_value_info("Add_7", TensorProto.FLOAT, [1, 1, 1])],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [0, 1], []),
        helper.make_tensor("w_2", TensorProto.FLOAT, [1], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 20)],
    ir_version=9,
)
feeds = {
    "Cast_3": np.zeros([1, 1, 0], "float32"),
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
