"""MatMul: wrong value (float)

expected 0.25, got 0; relative error 1.00e+00, at most 2.86e-06 is honest

Found with onnxslim@0.1.98/default by assay 0.1.0, bug fc6dfa92ee, severity S1.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

try:
    import numpy as np
    import onnxruntime as ort
    import onnxslim
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node(
            "BatchNormalization", ["Mul_30", "w_15", "w_16", "w_17", "w_18"], ["BatchNormalization_48"],
        ),
        helper.make_node("Shape", ["BatchNormalization_48"], ["Shape_49"]),
        helper.make_node("Slice", ["Shape_49", "w_19", "w_20"], ["Slice_54"]),
        helper.make_node("Cast", ["Slice_54"], ["Cast_60"], to=1),
        helper.make_node(
            "Constant", [], ["Constant_61"],
            value=helper.make_tensor("", TensorProto.INT64, [1], [0]),
        ),
        helper.make_node("Unsqueeze", ["Cast_60", "Constant_61"], ["Unsqueeze_62"]),
        helper.make_node(
            "Constant", [], ["Constant_64"],
            value=helper.make_tensor("", TensorProto.FLOAT, [], [0.25]),
        ),
        helper.make_node("Mul", ["Unsqueeze_62", "Constant_64"], ["Mul_65"]),
        helper.make_node("MatMul", ["Constant_67", "Mul_65"], ["MatMul_68"]),
    ],
    "graph",
    inputs=[
        helper.make_tensor_value_info("Mul_30", TensorProto.FLOAT, [1, 1, 1, 1]),
        helper.make_tensor_value_info("Constant_67", TensorProto.FLOAT, [1, 1]),
    ],
    outputs=[helper.make_tensor_value_info("MatMul_68", TensorProto.FLOAT, [1, 1])],
    initializer=[
        helper.make_tensor("w_15", TensorProto.FLOAT, [1], [0.0]),
        helper.make_tensor("w_16", TensorProto.FLOAT, [1], [0.0]),
        helper.make_tensor("w_17", TensorProto.FLOAT, [1], [0.0]),
        helper.make_tensor("w_18", TensorProto.FLOAT, [1], [0.0]),
        helper.make_tensor("w_19", TensorProto.INT64, [1], [0]),
        helper.make_tensor("w_20", TensorProto.INT64, [1], [1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 18)],
    ir_version=8,
)
feeds = {
    "Mul_30": np.array([0.0], "float32").reshape([1, 1, 1, 1]),
    "Constant_67": np.array([1.0], "float32").reshape([1, 1]),
}
# By a float64 evaluation of the text of the ONNX standard.
expected = np.array([0.25], "float32").reshape([1, 1])


def convert(model):
    return onnxslim.slim(model)


print("onnxslim", onnxslim.__version__, "run by onnxruntime", ort.__version__)


def run(model, feeds):
    """Converts the model and runs the result without any optimisation of the engine."""
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    model = convert(model).SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    known = {i.name for i in session.get_inputs()}
    return session.run(None, {name: feeds[name] for name in feeds if name in known})


try:
    observed = np.asarray(run(model, feeds)[0])
except Exception as error:
    print("cannot be compared, the model does not run:", error)
    sys.exit(2)
print("expected", expected.dtype, expected.shape)
print("observed", observed.dtype, observed.shape)
same = observed.dtype == expected.dtype and observed.shape == expected.shape
if same:
    x, r = observed.astype(float), expected.astype(float)
    wrong = ~np.isclose(x, r, rtol=0, atol=7.15e-07, equal_nan=True)
    for at in map(tuple, np.argwhere(wrong)[:5]):
        print("element", list(map(int, at)), "expected", expected[at], "observed", observed[at])
    same = not wrong.any()
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)
