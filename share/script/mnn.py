import _tools  # MNN's converter without MNN.tools, which installs a package when it is imported
import MNN.expr
import MNN.nn


def load(model):
    kinds = {"float32": MNN.expr.float, "int32": MNN.expr.int, "uint8": MNN.expr.uint8}
    inputs, outputs = [i.name for i in model.graph.input], [o.name for o in model.graph.output]
    declared = [helper.tensor_dtype_to_np_dtype(o.type.tensor_type.elem_type) for o in model.graph.output]
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/model.onnx"
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        words = ["MNNConvert", "-f", "ONNX", "--modelFile", path, "--MNNModel", path + ".mnn"]
        _tools.mnnconvert([*words, "--bizCode", "script"])
        config = {"backend": 0, "precision": "$PRECISION", "numThread": 1}
        manager = MNN.nn.create_runtime_manager((config,))
        module = MNN.nn.load_module_from_file(path + ".mnn", inputs, outputs, runtime_manager=manager)

    def run(feeds):
        variables = []
        for value in (feeds[name] for name in inputs):
            value = value.astype("int32") if value.dtype == "int64" else value
            variable = MNN.expr.placeholder(list(value.shape), MNN.expr.NCHW, kinds[value.dtype.name])
            variable.write(value)
            variables.append(variable)
        made = [MNN.expr.convert(y, MNN.expr.NCHW).read() for y in module.forward(variables)]
        same = [y.dtype.kind == t.kind or t == bool for y, t in zip(made, declared)]
        return [y.astype(t) if ok else y for y, t, ok in zip(made, declared, same)]

    return run


print("MNN", MNN.version())
