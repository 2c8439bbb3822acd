"""GRU: exception

a valid model is refused: Exception during initialization: /onnxruntime_src/onnxruntime/core/providers/cpu/rnn/deep_cpu_gru.h:28 onnxruntime::DeepCpuGruOp::DeepCpuGruOp(const onnxruntime::OpKernelInfo&) info.GetAttr('hidden_size', &int64_value).IsOK() && int64_value > 0 was false.  

Found with ort@1.31.1/off by assay 0.1.0, bug 6bc0e074c1, severity S3.
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
        helper.make_node("GRU", ["Unsqueeze_2", "w_2", "w_3"], ["GRU_5"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("Unsqueeze_2", TensorProto.FLOAT, [1, 1, 0])],
    outputs=[helper.make_tensor_value_info("GRU_5", TensorProto.FLOAT, [1, 1, 1, 2])],
    initializer=[
        helper.make_tensor("w_2", TensorProto.FLOAT, [1, 6, 0], []),
        helper.make_tensor("w_3", TensorProto.FLOAT, [1, 6, 2], [0.0] * 12),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 22)],
    ir_version=10,
)
feeds = {
    "Unsqueeze_2": np.zeros([1, 1, 0], "float32"),
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
    if "IR version" in str(error) or "is under development" in str(error):
        print("cannot be checked here: the release is older than the opset of the model")
        sys.exit(2)
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
