import tract


def run(model, feeds):
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/model.onnx"
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        loaded = tract.onnx().load(path)
        names = [loaded.input_name(i) for i in range(loaded.input_count())]
        made = loaded.into_model().into_runnable().run([feeds[name] for name in names])
    return [y.to_numpy() for y in made]


print("tract", tract.version())
