import onnxruntime


def engine_version():
    return "onnxruntime " + onnxruntime.__version__


NARROW = {
    getattr(TensorProto, name, -1): wide
    for name, wide in (
        ("INT4", TensorProto.INT8),
        ("UINT4", TensorProto.UINT8),
        ("INT2", TensorProto.INT8),
        ("UINT2", TensorProto.UINT8),
    )
}


def widen_outputs(model):
    """Casts outputs of under a byte, for which the engine's Python API has no type."""
    for output in model.graph.output:
        kind = output.type.tensor_type.elem_type
        if kind not in NARROW:
            continue
        wide = output.name + "_wide"
        model.graph.node.append(
            helper.make_node("Cast", [output.name], [wide], to=NARROW[kind])
        )
        output.name = wide
        output.type.tensor_type.elem_type = NARROW[kind]


def run(model, feeds, mode):
    widen_outputs(model)
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
