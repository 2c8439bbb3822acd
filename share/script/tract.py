import tract


def load(model):
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/model.onnx"
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        loaded = tract.onnx().load(path)
        names = [loaded.input_name(i) for i in range(loaded.input_count())]
        runnable = loaded.into_model().into_runnable()
    return lambda feeds: [y.to_numpy() for y in runnable.run([feeds[name] for name in names])]


print("tract", tract.version())
