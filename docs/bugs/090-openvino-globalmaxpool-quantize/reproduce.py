#!/usr/bin/env python3
"""GlobalMaxPool+QuantizeLinear: wrong value (float)

Stand-alone reproducer: exits 1 while the bug lives, 0 when it is gone.
Bug d2ad5e7fc8, severity S1, operators: GlobalMaxPool QuantizeLinear.
Needs the engine, onnx and numpy. Written by assay 0.1.0.
"""

import base64
import os
import subprocess
import sys
import traceback

import numpy
import onnx
from numpy import inf, nan
from onnx import AttributeProto, TensorProto, helper


def values(items, kind, dims):
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    return kind, dims, numpy.array(items, dtype=dtype).tobytes()


def packed(text, kind, dims):
    return kind, dims, base64.b64decode(text)


def tensor(name, packed_values):
    kind, dims, raw = packed_values
    return TensorProto(name=name, data_type=kind, dims=dims, raw_data=raw)


def array(packed_values):
    kind, dims, raw = packed_values
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    return numpy.frombuffer(raw, dtype=dtype).reshape(dims).copy()


def info(name, kind, dims):
    return helper.make_tensor_value_info(name, kind, dims)


def empty(kind):
    return AttributeProto.AttributeType.Value(kind), []


def node(op_type, inputs, outputs, name="", domain="", **attributes):
    made = helper.make_node(op_type, inputs, outputs, name=name, domain=domain)
    for key, value in attributes.items():
        kind = None
        if isinstance(value, tuple):
            kind, value = value
        made.attribute.append(helper.make_attribute(key, value, attr_type=kind))
    return made


CHECK = "values"
MODE = "f32"
OTHER_MODES = []
OPTIONS = __import__("json").loads("{\"properties\":{\"INFERENCE_PRECISION_HINT\":\"f32\",\"INFERENCE_NUM_THREADS\":\"1\",\"NUM_STREAMS\":\"1\"}}")
FOUND_WITH = "openvino@2026.4.1/f32"
CLAIM = "expected 24, got 32; relative error 8.00e+00, at most 0.00e+00 is honest"
LIMIT = 0.001
TIMEOUT_S = 60


def graph_0():
    return helper.make_graph([
        node("GlobalMaxPool", ["x"], ["GlobalMaxPool_1"]),
        node("QuantizeLinear", ["GlobalMaxPool_1", "w"], ["QuantizeLinear_4"]),
        ], "graph",
        [info("x", TensorProto.FLOAT, [1, 1, 1, 2])],
        [info("QuantizeLinear_4", TensorProto.UINT8, [1, 1, 1, 1])],
        [
            tensor("w", values([0.0625], TensorProto.FLOAT, [])),
        ])


def build_model():
    model = helper.make_model(graph_0(), opset_imports=[helper.make_opsetid("", 21)])
    model.ir_version = 10
    return model


def inputs():
    return {
        "x": array(values([0.0, 1.5], TensorProto.FLOAT, [1, 1, 1, 2])),
    }


OUTPUT = 0
EXPECTED_TYPE = "uint8"
SCALE_AT_LEAST = 1e-30


def expected_output():
    """By a float64 evaluation of the standard's text, and which elements count."""
    return array(values([24.0], TensorProto.DOUBLE, [1, 1, 1, 1])), array(values([True], TensorProto.BOOL, [1, 1, 1, 1]))


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


def class_of(x):
    return numpy.where(numpy.isnan(x), 3, numpy.where(numpy.isinf(x), numpy.sign(x), 0))


def compare(observed, expected, where):
    """How observed differs from expected, in words; None: it does not."""
    if list(observed.shape) != list(expected.shape):
        return f"shape {list(observed.shape)}, expected {list(expected.shape)}"
    x, r = observed.astype(numpy.float64)[where], expected[where]
    unlike = numpy.flatnonzero(class_of(x) != class_of(r))
    if unlike.size:
        i = unlike[0]
        return f"{x[i]!r} where {r[i]!r} is expected, and {unlike.size} such elements"
    finite = numpy.isfinite(r)
    if not finite.any():
        return None
    error = numpy.abs(x - r)[finite]
    scale = max(numpy.abs(r[finite]).max(), SCALE_AT_LEAST)
    if error.max() / scale <= LIMIT:
        return None
    i = error.argmax()
    return (
        f"{x[finite][i]!r} where {r[finite][i]!r} is expected: "
        f"relative error {error.max() / scale:.3g}, tolerance {LIMIT:.3g}"
    )


def check_values(mode):
    outputs = run(build_model(), inputs(), mode)
    if EXPECTED_TYPE and str(outputs[OUTPUT].dtype) != EXPECTED_TYPE:
        return f"dtype {outputs[OUTPUT].dtype}, expected {EXPECTED_TYPE}"
    expected, where = expected_output()
    return compare(numpy.asarray(outputs[OUTPUT]), expected, where)


def check_bits(mode):
    first = run(build_model(), inputs(), mode)[OUTPUT]
    for _ in range(20):
        again = run(build_model(), inputs(), mode)[OUTPUT]
        if first.tobytes() != again.tobytes():
            return "two runs of one model with one input give other bits"
    return None


def check_error(mode):
    try:
        run(build_model(), inputs(), mode)
    except Exception as why:
        return f"{type(why).__name__}: {str(why)[:2000]}"
    return None


def check(mode):
    """In a process of its own, because the engine may crash or hang."""
    command = [sys.executable, os.path.abspath(__file__), "--child", mode]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return f"no answer within {TIMEOUT_S} s"
    if done.returncode == 2:
        print("cannot be checked here:", done.stderr[-2000:].strip())
        sys.exit(2)
    if done.returncode < 0:
        return f"the process was ended by signal {-done.returncode}\n{done.stderr[-2000:]}"
    if done.returncode not in (0, 1):
        return f"the process left with {done.returncode}\n{done.stderr[-2000:]}"
    return done.stdout.strip() if done.returncode == 1 else None


def child(mode):
    checks = {"values": check_values, "bits": check_bits, "error": check_error}
    try:
        found = checks[CHECK](mode)
    except Exception:
        traceback.print_exc()
        return 2
    if found is not None:
        print(found)
    return 1 if found is not None else 0


def main():
    if sys.argv[1:2] == ["--child"]:
        return child(sys.argv[2])
    print("engine:  ", engine_version(), "(found with", FOUND_WITH + ")")
    print("expected:", CLAIM)
    found = check(MODE)
    for other in OTHER_MODES:
        print(f"{other + ':':10}", check(other) or "as expected")
    print(f"{MODE + ':':10}", found or "as expected")
    print("the bug is there" if found else "the bug is not there (any more)")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
