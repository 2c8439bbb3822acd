def narrow(model, name, array):
    # ONNX Runtime takes no such NumPy array: the bytes are written into a value of its own.
    if array.dtype.type.__module__ != "ml_dtypes":
        return array
    kind = next(i.type.tensor_type.elem_type for i in model.graph.input if i.name == name)
    data = array.tobytes()
    n = {"int4": 2, "uint4": 2, "float4_e2m1fn": 2, "int2": 4, "uint2": 4}.get(array.dtype.name, 1)
    if n > 1:  # packed, the first into the lowest bits
        values = np.zeros((-(-array.size // n), n), "uint8")
        values.ravel()[: array.size] = np.frombuffer(data, "uint8") & 2 ** (8 // n) - 1
        data = (values << 8 // n * np.arange(n)).sum(1).astype("uint8").tobytes()
    value = ort.OrtValue.ortvalue_from_shape_and_type(list(array.shape), kind)
    ctypes.memmove(value.data_ptr(), data, len(data))
    return value
