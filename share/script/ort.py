import onnxruntime as ort


$NARROWdef load(model):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = $THREADS
    level = ort.GraphOptimizationLevel.$LEVEL$NOTE
    options.graph_optimization_level = level
    data = model.SerializeToString()
    session = ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    return lambda feeds: session.run(None, $FEEDS)


print("onnxruntime", ort.__version__, "at level $MODE")
if not hasattr(ort.GraphOptimizationLevel, "$LEVEL"):
    print("cannot be checked here: this release has no such level")
    sys.exit(2)
