import openvino


def engine_version():
    return "openvino " + openvino.__version__


def unpack(port, data):
    kind = port.get_element_type().get_type_name()
    if kind not in ("u4", "i4", "u2", "i2"):
        return data
    bits, dims = int(kind[1:]), [int(d) for d in port.get_shape()]
    packed_bytes = numpy.frombuffer(data.tobytes(), dtype="uint8")
    shifts = numpy.arange(0, 8, bits, dtype="uint8")
    plain = ((packed_bytes[:, None] >> shifts) & (2**bits - 1)).reshape(-1).astype("int64")
    if kind[0] == "i":
        plain = plain - (plain >> (bits - 1)) * 2**bits
    return plain[: int(numpy.prod(dims))].reshape(dims)


def run(model, feeds, mode):
    core = openvino.Core()
    compiled = core.compile_model(
        core.read_model(model.SerializeToString()),
        "CPU",
        dict(OPTIONS.get("properties", {}), INFERENCE_NUM_THREADS="1"),
    )
    known = {name for port in compiled.inputs for name in port.get_names()}
    results = compiled({name: value for name, value in feeds.items() if name in known})
    return [unpack(port, results[i]) for i, port in enumerate(compiled.outputs)]
