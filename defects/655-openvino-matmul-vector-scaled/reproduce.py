"""MatMul+Mul: exception (float): Exception from src/inference/src/cpp/core.cpp:117:

a valid model is refused: [MatMulMultiplyFusion] END: node: opset1::Multiply y (opset1::MatMul p[0]:f32[1,1], opset1::Constant Constant_3443[0]:f32[1,1]) -> (f32[1,1]) CALLBACK HAS THROWN: Check 'DimType::merge(merged_dimension, arg0_col_dim, arg1_row_dim) || arg0_col_dim.is_dynamic() || arg1_row_dim.is_dynamic()' failed at 

Found with openvino@2026.4.1/f32 by assay 0.1.0, bug 89bf839b5d, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys
import tempfile

try:
    import numpy as np
    import openvino
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("MatMul", ["x", "w"], ["p"]),
        helper.make_node("Mul", ["p", "c"], ["y"]),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 2])],
    outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 1])],
    initializer=[
        helper.make_tensor("w", TensorProto.FLOAT, [2], [0.0, 0.0]),
        helper.make_tensor("c", TensorProto.FLOAT, [], [0.0]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 13)],
    ir_version=7,
)
feeds = {
    "x": np.array([0.0, 0.0], "float32").reshape([1, 1, 2]),
}


def run(model, feeds):
    core = openvino.Core()
    properties = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/model.onnx"
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        compiled = core.compile_model(core.read_model(path), "CPU", properties)
    known = {name for port in compiled.inputs for name in port.get_names()}
    results = compiled({name: feeds[name] for name in feeds if name in known})
    return [results[i] for i in range(len(compiled.outputs))]


print("openvino", openvino.__version__)
try:
    run(model, feeds)
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    if any(text in str(error) for text in (
        "OpenVINO does not support the following ONNX operations",
        "is not supported",
        "not supported",
        "unsupported",
        "not implemented",
        "Unimplemented",
        "No conversion rule found",
        "OpConversionFailure",
    )):
        print("cannot be checked here: the engine lacks what the model needs")
        sys.exit(2)
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
