import openvino


def engine_version():
    return "openvino " + openvino.__version__


def run(model, feeds, mode):
    core = openvino.Core()
    compiled = core.compile_model(
        core.read_model(model.SerializeToString()),
        "CPU",
        dict(OPTIONS.get("properties", {}), INFERENCE_NUM_THREADS="1"),
    )
    known = {name for port in compiled.inputs for name in port.get_names()}
    results = compiled({name: value for name, value in feeds.items() if name in known})
    return [results[i] for i in range(len(compiled.outputs))]
