def outputs(function):
    """Dtype, shape and numbers of each output."""
    made = [torch.from_numpy(y.copy()) for y in function(*inputs)]
    return [(str(y.dtype), tuple(y.shape), y.reshape(-1).tolist()) for y in made]


def make():
    """The model exported in mode $MODE, run by ONNX Runtime without optimisation."""
    import onnxruntime as ort
    import onnxscript

    print("onnxscript", onnxscript.__version__, "onnxruntime", ort.__version__)
    program = ($OPEN)()
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    data = program.model_proto.SerializeToString()
    session = ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    names = [i.name for i in session.get_inputs()]
    return lambda *xs: session.run(None, {n: x.numpy() for n, x in zip(names, xs)})


print("torch", torch.__version__)
with torch.no_grad():
    print("in eager mode:", model(*inputs))
