import onnxruntime as ort


def run(model, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = $THREADS
    level = ort.GraphOptimizationLevel.$LEVEL$NOTE
    options.graph_optimization_level = level
    model = model.SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


print("onnxruntime", ort.__version__, "at level $MODE")
if not hasattr(ort.GraphOptimizationLevel, "$LEVEL"):
    print("cannot be checked here: this release has no such level")
    sys.exit(2)
