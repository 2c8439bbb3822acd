"""Pad AveragePool: exception

a valid model is refused: Exception during initialization: /onnxruntime_src/onnxruntime/core/providers/cpu/nn/pool_attributes.h:88 onnxruntime::PoolAttributes::PoolAttributes(const KernelInfoType&, const std::string&, int) [with KernelInfoType = onnxruntime::OpKernelInfo; std::string = std::__cxx11::basic_string<char>] pads[

Found with onnxoptimizer@0.4.2/default by assay 0.1.0, bug dbc2320fd8, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

try:
    import numpy as np
    import importlib.metadata
    import onnxoptimizer
    import onnxruntime as ort
    from onnx import TensorProto, helper
except ImportError as missing:
    print("cannot be checked here:", missing)
    sys.exit(2)

graph = helper.make_graph(
    [
        helper.make_node("Pad", ["x", "w_6"], ["Pad_15"]),
        helper.make_node(
            "AveragePool", ["Pad_15"], ["AveragePool_16"],
            kernel_shape=[3], pads=[1, 2],
        ),
    ],
    "graph",
    inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 1])],
    outputs=[helper.make_tensor_value_info("AveragePool_16", TensorProto.FLOAT, [1, 1, 3])],
    initializer=[
        helper.make_tensor("w_6", TensorProto.INT64, [6], [0, 0, 0, 0, 0, 1]),
    ],
)
model = helper.make_model(
    graph,
    opset_imports=[helper.make_opsetid("", 18)],
    ir_version=8,
)
feeds = {
    "x": np.array([0.0], "float32").reshape([1, 1, 1]),
}


def convert(model):
    return onnxoptimizer.optimize(model)


version = importlib.metadata.version("onnxoptimizer")
print("onnxoptimizer", version, "run by onnxruntime", ort.__version__)


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
    run(model, feeds)
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
