import openvino


$NARROWdef load(model):
    core = openvino.Core()
    properties = $PROPERTIES
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/model.onnx"
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        model = core.compile_model(core.read_model(path), "CPU", properties)
    known = {name for port in model.inputs for name in port.get_names()}

    def run(feeds):
        results = model({name: $FEED for name in feeds if name in known})
        return [results[i].copy() for i in range(len(model.outputs))]

    return run


print("openvino", openvino.__version__)
