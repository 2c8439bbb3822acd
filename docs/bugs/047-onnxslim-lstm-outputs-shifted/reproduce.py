#!/usr/bin/env python3
"""LSTM: wrong value (float)

Stand-alone reproducer: exits 1 while the bug lives, 0 when it is gone.
Bug c29398a452, severity S1, operators: Shape ConstantOfShape Unsqueeze LSTM Reshape.
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
MODE = "default"
OTHER_MODES = []
OPTIONS = __import__("json").loads("{}")
FOUND_WITH = "onnxslim@0.1.98/default"
CLAIM = "expected 0.431090287, got 0.119519569; relative error 7.23e-01, at most 9.41e-06 is honest"
LIMIT = 9.40514e-06
TIMEOUT_S = 60


def graph_0():
    return helper.make_graph([
        node("Shape", ["Slice_5"], ["Shape_6"], end=2),
        node("ConstantOfShape", ["Shape_6"], ["ConstantOfShape_7"], value=tensor("", values([1.0], TensorProto.FLOAT, [1]))),
        node("Unsqueeze", ["ConstantOfShape_7", "w_9"], ["Unsqueeze_14"]),
        node("LSTM", ["Unsqueeze_14", "w_10", "w_11"], ["LSTM_19", "LSTM_20", "LSTM_21"], hidden_size=3, direction="bidirectional"),
        node("Reshape", ["LSTM_20", "w_18"], ["Reshape_31"]),
        ], "graph",
        [info("w_10", TensorProto.FLOAT, [2, 12, 2]), info("w_11", TensorProto.FLOAT, [2, 12, 3]), info("Slice_5", TensorProto.UINT8, [3, 2, 1])],
        [info("LSTM_21", TensorProto.FLOAT, [2, 3, 3]), info("Reshape_31", TensorProto.FLOAT, [6, 3])],
        [
            tensor("w_10", values([0.125, -0.875, 0.625, 0.125, 0.625, -0.25, -0.75, 0.875, 0.25, -0.75, 0.875, -0.625, -0.375, 0.625, 0.25, -0.625, -0.875, 0.0, -0.5, 0.75, -0.75, 0.625, -0.375, -0.25, -0.125, -0.5, 0.375, 0.875, -0.375, -1.0, 0.0, 0.75, -0.625, -0.25, 0.375, -0.125, -0.875, 0.0, -0.5, 0.625, -0.375, 0.75, -1.0, 0.125, 0.5, 0.125, 0.75, -0.25], TensorProto.FLOAT, [2, 12, 2])),
            tensor("w_11", packed("AIDWvACgSr8AIO4+AKBqvgBgLD8AoDi8AEAIvwAgKD4AwH2+AEAnvwBgNr0AwEM9AKCnvgAART8AgMQ+AMBbPAAgAz8A4JE+AMBMvQCAIb4AoBU9ACBsPwCgp74AwOY9AADcPgBAjLwA4Gu9AMCkPACAqbwAABA/AKC7PgAgAL4AAPm8AAAnPgBgBD8AgGi+AIAJvwAAH78A4H++AGBWvwBA9L4AYLG/AIAEPwBgpD0AAEw9AIBEvwAgJb8AAGi+ACCqvQAgCb4AwEI+AAAbPwCgaD4AAKs+AKC5PgAg570AQHQ/AADWPgCgTz8AYAG+AIC3vQDgrr4AIMM9AOAyvAAAOL8AYMe+AOB0vQDAlb4AoDE+AAC8vQDAOL8AIIk/", TensorProto.FLOAT, [2, 12, 3])),
            tensor("w_9", values([0], TensorProto.INT64, [1])),
            tensor("w_18", values([6, 3], TensorProto.INT64, [2])),
        ])


def build_model():
    model = helper.make_model(graph_0(), opset_imports=[helper.make_opsetid("", 19)])
    model.ir_version = 9
    return model


def inputs():
    return {
        "Slice_5": array(values([8, 6, 5, 8, 8, 6], TensorProto.UINT8, [3, 2, 1])),
    }


OUTPUT = 0
EXPECTED_TYPE = "float32"
SCALE_AT_LEAST = 1e-30


def expected_output():
    """By a float64 evaluation of the standard's text, and which elements count."""
    return array(values([0.078575123868580732, -0.084457909981788037, -0.32869273178027947, 0.078575123868580732, -0.084457909981788037, -0.32869273178027947, 0.078575123868580732, -0.084457909981788037, -0.32869273178027947, -0.24541326454680609, 0.43109028718969705, 0.093261352568448794, -0.24541326454680609, 0.43109028718969705, 0.093261352568448794, -0.24541326454680609, 0.43109028718969705, 0.093261352568448794], TensorProto.DOUBLE, [2, 3, 3])), array(values([True] * 18, TensorProto.BOOL, [2, 3, 3]))


import onnxruntime
import onnxslim


def engine_version():
    return f"onnxslim {onnxslim.__version__}, run by onnxruntime {onnxruntime.__version__}"


def convert(model):
    return onnxslim.slim(model, **OPTIONS)


def run(model, feeds, mode):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    made = convert(model)
    session = onnxruntime.InferenceSession(
        made.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    known = {i.name for i in session.get_inputs()}
    return session.run(None, {name: value for name, value in feeds.items() if name in known})


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
