"""ScatterElements: internal-error (float)

a valid model is refused: OpenCV(5.0.0) /io/opencv/modules/core/include/opencv2/core/mat.inl.hpp:103: error: (-215:Assertion failed) idx < (size_t)(dims > 0 ? dims : 1) in function 'operator[]'

Found with opencv@5.0.0.93/new by assay 0.1.0, bug 52ef08a101, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

try:
    import numpy as np
    import cv2
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node(
            "ScatterElements", ["Unsqueeze_4", "w_3", "Constant_6"], ["ScatterElements_7"],
            axis=-1,
        ),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("Unsqueeze_4", TensorProto.FLOAT, [1, 1, 1, 1]),
        helper.make_tensor_value_info("Constant_6", TensorProto.FLOAT, [1, 1, 1, 1]),
    ],
    outputs=[helper.make_tensor_value_info("ScatterElements_7", TensorProto.FLOAT, [1, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w_3", TensorProto.INT32, [1, 1, 1, 1], [0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 21)],
    ir_version=10,
)
feeds = {
    "Unsqueeze_4": np.array([0.0], "float32").reshape([1, 1, 1, 1]),
    "Constant_6": np.array([0.0], "float32").reshape([1, 1, 1, 1]),
}


def run(model, feeds):
    data = np.frombuffer(model.SerializeToString(), np.uint8)
    net = cv2.dnn.readNetFromONNX(data, cv2.dnn.ENGINE_NEW)
    for name, value in feeds.items():
        net.setInput(value, name)
    declared = [helper.tensor_dtype_to_np_dtype(o.type.tensor_type.elem_type) for o in model.graph.output]
    made = [np.asarray(y) for y in net.forward([o.name for o in model.graph.output])]
    return [y.astype(t) if y.dtype.kind == t.kind else y for y, t in zip(made, declared)]


print("opencv", cv2.__version__, "engine ENGINE_NEW")
try:
    run(model, feeds)
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
