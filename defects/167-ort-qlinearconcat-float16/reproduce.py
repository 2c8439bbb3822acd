"""DequantizeLinear+Concat+QuantizeLinear: exception (float16)

DequantizeLinear, Concat and QuantizeLinear of float16 become QLinearConcat, which takes scales of float only; the session is refused as an invalid graph, with elements too.

QuantizeLinear and DequantizeLinear 19 and later list float16 for the scale.

Found with ort@1.31.1/extended by assay 0.1.0, bug 1a18012e44, severity S2.
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
            "DequantizeLinear", ["QuantizeLinear_4", "w_3"], ["DequantizeLinear_7"],
        ),
        helper.make_node("Concat", ["DequantizeLinear_7"], ["Concat_8"], axis=-1),
        helper.make_node("QuantizeLinear", ["Concat_8", "w_5"], ["QuantizeLinear_11"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("QuantizeLinear_4", TensorProto.UINT8, [0])],
    outputs=[helper.make_tensor_value_info("QuantizeLinear_11", TensorProto.UINT8, [0])],
    initializer=[
        helper.make_tensor("w_3", TensorProto.FLOAT16, [], [1.0]),
        helper.make_tensor("w_5", TensorProto.FLOAT16, [], [1.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 23)],
    ir_version=11,
)
feeds = {
    "QuantizeLinear_4": np.zeros([0], "uint8"),
}


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED  # ORT_DISABLE_ALL is right
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level extended")
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
