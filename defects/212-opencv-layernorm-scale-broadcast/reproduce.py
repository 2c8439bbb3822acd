"""LayerNormalization: exception (float)

a valid model is refused: OpenCV(5.0.0) /io/opencv/modules/dnn/src/layers/layer_norm2.cpp:53: error: (-2:Unspecified error) in function 'virtual bool cv::dnn::LayerNorm2LayerImpl::getMemoryShapes(const std::vector<cv::MatShape>&, int, std::vector<cv::MatShape>&, std::vector<cv::MatShape>&) const''n> LayerNorm2: weight rank mi

Found with opencv@5.0.0.93/new by assay 0.1.0, bug c3662ed714, severity S3.
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
        helper.make_node("LayerNormalization", ["x", "w"], ["LayerNormalization_2"], axis=1),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 1, 1, 1, 1])],
    outputs=[helper.make_tensor_value_info("LayerNormalization_2", TensorProto.FLOAT, [1, 1, 1, 1, 1, 1])],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [1], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "x": np.array([0.0], "float32").reshape([1, 1, 1, 1, 1, 1]),
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
