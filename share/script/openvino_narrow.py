def narrow(model, name, array):
    # Values of under 8 bits are packed, the first into the lowest bits.
    kind = model.input(name).get_element_type()
    n = 8 // kind.bitwidth
    if n <= 1:
        return array
    values = np.zeros(-(-array.size // n) * n, "uint8")
    values[: array.size] = np.ascontiguousarray(array).view("uint8").ravel() & 2**kind.bitwidth - 1
    packed = (values.reshape(-1, n) << kind.bitwidth * np.arange(n)).sum(1).astype("uint8")
    return openvino.Tensor(packed, openvino.Shape(array.shape), kind)
