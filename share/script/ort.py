import onnxruntime


def engine_version():
    return "onnxruntime " + onnxruntime.__version__


def run(model, feeds, mode):
    levels = onnxruntime.GraphOptimizationLevel
    names = {
        "off": levels.ORT_DISABLE_ALL,
        "basic": levels.ORT_ENABLE_BASIC,
        "extended": levels.ORT_ENABLE_EXTENDED,
        "layout": getattr(levels, "ORT_ENABLE_LAYOUT", levels.ORT_ENABLE_ALL),
    }
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 4 if "threads" in mode else 1
    options.graph_optimization_level = names.get(mode, levels.ORT_ENABLE_ALL)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return session.run(None, feeds)
