"""Conv: wrong bits (float)

A Conv over no input channels writes nothing: its result is what the memory held before, and differs from run to run.

Conv over nothing is an empty sum, 0 (as onnx.reference gives).

Found with ort@1.31.1/off by assay 0.1.0 while defect 056 was judged, reduced by hand, severity S3.
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
        helper.make_node("Conv", ["x", "filter"], ["y"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 0, 8]),
        helper.make_tensor_value_info("filter", TensorProto.FLOAT, [4, 0, 1]),
    ],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 4, 8])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
feeds = {
    "filter": np.zeros([4, 0, 1], "float32"),
    "x": np.zeros([2, 0, 8], "float32"),
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
outputs = [np.asarray(run(model, feeds)[0]).tobytes() for _ in range(21)]
print(len(set(outputs)), "different results of 21 runs with one input")
print("as expected" if len(set(outputs)) == 1 else "the bug is there")
sys.exit(0 if len(set(outputs)) == 1 else 1)
