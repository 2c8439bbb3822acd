#!/usr/bin/env python3
"""Mul: wrong shape (float)

Stand-alone reproducer: exits 1 while the bug lives, 0 when it is gone.
Bug 2d775cbb17, severity S1, operators: Div Erf Add Mul Mul.
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
FOUND_WITH = "onnxsim@0.8.1/default"
CLAIM = "another shape than the standard gives"
LIMIT = 0.001
TIMEOUT_S = 60


def graph_0():
    return helper.make_graph([
        node("Constant", [], ["Constant_19"], value=tensor("", values([1.41421354], TensorProto.FLOAT, [1, 1, 1, 1, 1]))),
        node("Div", ["Celu_19", "Constant_19"], ["Div_20"]),
        node("Erf", ["Div_20"], ["Erf_21"]),
        node("Constant", [], ["Constant_22"], value=tensor("", values([1.0], TensorProto.FLOAT, [1, 1, 1, 1]))),
        node("Add", ["Constant_22", "Erf_21"], ["Add_23"]),
        node("Constant", [], ["Constant_24"], value=tensor("", values([0.5], TensorProto.FLOAT, [1, 1, 1, 1]))),
        node("Mul", ["Celu_19", "Add_23"], ["Mul_25"]),
        node("Mul", ["Mul_25", "Constant_24"], ["Mul_26"]),
        ], "graph",
        [info("Celu_19", TensorProto.FLOAT, [1, 1, 1, 1])],
        [info("Mul_26", TensorProto.FLOAT, [1, 1, 1, 1, 1])],
        [
        ])


def build_model():
    model = helper.make_model(graph_0(), opset_imports=[helper.make_opsetid("", 21)])
    model.ir_version = 10
    return model


def inputs():
    return {
        "Celu_19": array(values([0.0], TensorProto.FLOAT, [1, 1, 1, 1])),
    }


OUTPUT = 0
EXPECTED_TYPE = "float32"
SCALE_AT_LEAST = 1e-30


def expected_output():
    """By a float64 evaluation of the standard's text, and which elements count."""
    return array(values([0.0], TensorProto.DOUBLE, [1, 1, 1, 1, 1])), array(values([True], TensorProto.BOOL, [1, 1, 1, 1, 1]))


import onnxruntime
import onnxsim


def engine_version():
    return f"onnxsim {onnxsim.__version__}, run by onnxruntime {onnxruntime.__version__}"


def convert(model):
    return onnxsim.simplify(model, **OPTIONS)[0]


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
