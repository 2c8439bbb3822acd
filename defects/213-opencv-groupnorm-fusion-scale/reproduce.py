"""Reshape+Reshape+InstanceNormalization+Reshape+Mul+Add: exception (float)

a valid model is refused: OpenCV(5.0.0) /io/opencv/modules/dnn/src/layers/group_norm_layer.cpp:52: error: (-2:Unspecified error) in function 'virtual bool cv::dnn::GroupNormLayerImpl::getMemoryShapes(const std::vector<cv::MatShape>&, int, std::vector<cv::MatShape>&, std::vector<cv::MatShape>&) const''n> DNN/InstanceNorm: scal

Found with opencv@5.0.0.93/new by assay 0.1.0, bug e97b67a291, severity S3.
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
        helper.make_node("Reshape", ["CenterCropPad_2", "w_2"], ["Reshape_4"]),
        helper.make_node("Reshape", ["Reshape_4", "w_3"], ["Reshape_6"]),
        helper.make_node(
            "InstanceNormalization", ["Reshape_6", "w_4", "w_5"], ["InstanceNormalization_9"],
        ),
        helper.make_node("Reshape", ["InstanceNormalization_9", "w_6"], ["Reshape_11"]),
        helper.make_node("Mul", ["Reshape_11", "w_7"], ["Mul_13"]),
        helper.make_node("Add", ["Mul_13", "w_8"], ["Add_15"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("CenterCropPad_2", TensorProto.FLOAT, [3, 1, 3, 1, 1])],
    outputs=[helper.make_tensor_value_info("Add_15", TensorProto.FLOAT, [3, 3, 1, 1])],
    initializer=[
        helper.make_tensor("w_2", TensorProto.INT64, [4], [3, 3, 1, 1]),
        helper.make_tensor("w_3", TensorProto.INT64, [3], [3, 1, -1]),
        helper.make_tensor("w_4", TensorProto.FLOAT, [1], [1.0]),
        helper.make_tensor("w_5", TensorProto.FLOAT, [1], [0.0]),
        helper.make_tensor("w_6", TensorProto.INT64, [4], [3, 3, 1, 1]),
        helper.make_tensor("w_7", TensorProto.FLOAT, [3, 1, 1], [0.0, 0.0, 0.0]),
        helper.make_tensor("w_8", TensorProto.FLOAT, [3, 1, 1], [0.0, 0.0, 0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 19)],
    ir_version=9,
)
feeds = {
    "CenterCropPad_2": np.array([0.0] * 9, "float32").reshape([3, 1, 3, 1, 1]),
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
