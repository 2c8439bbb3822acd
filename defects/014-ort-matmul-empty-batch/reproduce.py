"""MatMul: exception

a valid model is refused: Non-zero status code returned while running MatMul node. Name:'' Status Message: matmul_helper.h:144 Compute right operand cannot broadcast on dim 2

Found with ort@1.31.1/off by assay 0.1.0, bug 46baef18fa, severity S3.
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
        helper.make_node("MatMul", ["w_2", "Transpose_2"], ["MatMul_5"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Transpose_2", TensorProto.FLOAT, [1, 1, 0, 1, 1])],
    outputs=[helper.make_tensor_value_info("MatMul_5", TensorProto.FLOAT, [1, 1, 0, 1, 1])],
    initializer=[
        helper.make_tensor("w_2", TensorProto.FLOAT, [1, 1], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "Transpose_2": np.zeros([1, 1, 0, 1, 1], "float32"),
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
