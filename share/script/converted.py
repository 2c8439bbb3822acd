$NARROWdef load(model):
    """Converts the model and loads the result without any optimisation of the engine."""
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    data = convert(model).SerializeToString()
    session = ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    known = {i.name for i in session.get_inputs()}
    return lambda feeds: session.run(None, {name: $FEED for name in feeds if name in known})
