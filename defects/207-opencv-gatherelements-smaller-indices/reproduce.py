"""GatherElements: exception (uint8)

a valid model is refused: OpenCV(5.0.0) /io/opencv/modules/dnn/src/layers/gather_elements_layer.cpp:55: error: (-2:Unspecified error) in function 'virtual bool cv::dnn::GatherElementsLayerImpl::getMemoryShapes(const std::vector<cv::MatShape>&, int, std::vector<cv::MatShape>&, std::vector<cv::MatShape>&) const''n> GatherElemen

Found with opencv@5.0.0.93/new by assay 0.1.0, bug fb055e31f6, severity S3.
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
        helper.make_node("GatherElements", ["x", "Constant_1"], ["GatherElements_2"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("x", TensorProto.UINT8, [2, 1, 2, 1]),
        helper.make_tensor_value_info("Constant_1", TensorProto.INT64, [1, 1, 1, 1]),
    ],
    outputs=[helper.make_tensor_value_info("GatherElements_2", TensorProto.UINT8, [1, 1, 1, 1])],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)
feeds = {
    "x": np.array([4, 4, 1, 7], "uint8").reshape([2, 1, 2, 1]),
    "Constant_1": np.array([1], "int64").reshape([1, 1, 1, 1]),
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
