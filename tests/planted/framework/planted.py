"""A framework with one fault, for tests: an environment whose planted.pth imports this module has the fault that its fault.txt names.

The fault is put in behind the framework's own import, so whoever uses the framework finds it everywhere: in calls, in
traces and in what compilers and exporters return.
"""

import importlib.util
import itertools
import os
import pathlib
import sys
import time
from typing import Any

SHIFT = 0.125  # far beyond rounding of what tests compute


def shifted(value: Any) -> Any:
    parts = tuple(part + SHIFT for part in value) if isinstance(value, tuple) else value + SHIFT
    return parts


def then(function: Any, change: Any) -> Any:
    """The function, and what is made of its result."""
    return lambda *args, **keys: change(function(*args, **keys))


def stale(compiled: Any) -> Any:
    """A compiled function that keeps its first result, whatever comes later."""
    kept: list[Any] = []

    def call(*args: Any) -> Any:
        kept[:] = kept or [compiled(*args)]
        return kept[0]

    return call


def only_where(make: Any, applies: Any, change: Any) -> Any:
    """What makes compiled functions, those changed for whose keywords it applies."""

    def made(*args: Any, **keys: Any) -> Any:
        result = make(*args, **keys)
        return change(result) if applies(keys) else result

    return made


def swapped(function: Any) -> Any:
    """The function with its first two arguments exchanged."""
    return lambda x, y, *args, **keys: function(y, x, *args, **keys)


def other_axis(function: Any) -> Any:
    """The function of (tensor, axis) along the axis before."""
    return lambda x, axis, *args, **keys: function(x, axis - 1 if axis else axis + 1, *args, **keys)


def unbroadcast(function: Any) -> Any:
    """A function of two tensors that does not broadcast the first one."""
    return lambda x, y: function(x, y if x.shape == y.shape else y.reshape(-1)[:1])


def leaking(function: Any) -> Any:
    """The function, each call of which keeps four kilobytes of memory."""
    kept: list[bytearray] = []

    def call(*args: Any) -> Any:
        kept.append(bytearray(4096))
        return function(*args)

    return call


class Loaded:
    """A loaded SavedModel whose call is wrong."""

    def __init__(self, model: Any) -> None:
        self.call = then(model.call, shifted)


def is_fake(x: Any) -> bool:
    return type(x).__name__ == "FakeTensor"


def longer_where(function: Any, applies: Any) -> Any:
    """The function whose result has one dimension more where it applies."""
    return lambda x, *args, **keys: function(x[None] if applies(x) else x, *args, **keys)


def is_xla(keys: dict[str, Any]) -> bool:
    return bool(keys.get("jit_compile"))


def bent(function: Any, stop: Any) -> Any:
    """A function whose values are right and whose gradient is 9/8 of the true one; stop: cuts gradients."""

    def call(*args: Any) -> Any:
        y = function(*args)
        return y + (y - stop(y)) * SHIFT

    return call


def sigmoid_for_tanh(program: Any) -> Any:
    """An exported program with another operator in the place of Tanh."""
    for node in program.model.graph:
        if node.op_type == "Tanh":
            node.op_type = "Sigmoid"
    return program


def patch_torch(torch: Any, fault: str) -> None:
    functional = torch.nn.functional
    if fault == "operator":
        torch.tanh = then(torch.tanh, shifted)
    elif fault == "leak":
        torch.tanh = leaking(torch.tanh)
    elif fault == "compiled leak":
        torch.compile = then(torch.compile, leaking)
    elif fault == "gradient":
        torch.tanh = bent(torch.tanh, lambda y: y.detach())
    elif fault == "compiled gradient":
        torch.compile = then(torch.compile, lambda f: bent(f, lambda y: y.detach()))
    elif fault == "default":
        elu = functional.elu
        functional.elu = lambda x, alpha=1.5, *args, **keys: elu(x, alpha, *args, **keys)
    elif fault == "arguments":
        torch.atan2 = torch.arctan2 = swapped(torch.atan2)
    elif fault == "axis":
        torch.cumsum = other_axis(torch.cumsum)
    elif fault == "dtype":
        torch.maximum = then(torch.maximum, lambda x: x.double())
    elif fault == "broadcast":
        torch.fmax = unbroadcast(torch.fmax)
    elif fault == "call shape":
        torch.ceil = longer_where(torch.ceil, lambda x: not is_fake(x))
    elif fault == "crash":
        torch.ceil = then(torch.ceil, lambda x: x if is_fake(x) else os.abort())
    elif fault == "hang":
        halts = lambda x: not is_fake(x) and x.dtype == torch.float64  # noqa: E731
        torch.ceil = then(torch.ceil, lambda x: time.sleep(3600) if halts(x) else x)
    elif fault == "flaky":
        turns = itertools.count()
        torch.ceil = longer_where(torch.ceil, lambda x: not is_fake(x) and next(turns) % 2)
    elif fault == "meta shape":
        torch.ceil = longer_where(torch.ceil, is_fake)
    elif fault == "compiler":
        torch.compile = then(torch.compile, lambda f: then(f, shifted))
    elif fault == "lowering":
        patch_lowering(torch)
    elif fault == "pattern":
        patch_pattern(torch)
    elif fault == "stale":
        torch.compile = then(torch.compile, stale)
    elif fault == "state":
        load = torch.nn.Module.load_state_dict
        torch.nn.Module.load_state_dict = lambda model, state: load(model, dict(list(state.items())[1:]), strict=False)
    elif fault == "load":
        torch.jit.load = then(torch.jit.load, lambda f: then(f, shifted))
    elif fault == "export":
        import torch.export

        program = torch.export.ExportedProgram
        program.module = then(program.module, lambda f: then(f, shifted))
    elif fault == "onnx":
        import torch.onnx

        torch.onnx.export = then(torch.onnx.export, sigmoid_for_tanh)


def patch_lowering(torch: Any) -> None:
    """inductor's code for tanh is wrong."""
    from torch._inductor import lowering

    table, aten = lowering.lowerings, torch.ops.aten
    tanh, add = table[aten.tanh.default], table[aten.add.Tensor]
    table[aten.tanh.default] = lambda x: add(tanh(x), SHIFT)


def patch_pattern(torch: Any) -> None:
    """A pattern of inductor takes erf for tanh."""
    from torch._inductor import pattern_matcher
    from torch._inductor.fx_passes import joint_graph

    aten = torch.ops.aten
    pattern = pattern_matcher.CallFunction(aten.tanh.default, pattern_matcher.Arg())

    def replace(match: Any, x: Any) -> None:
        match.replace_by_example(aten.erf.default, [x])

    pattern_matcher.register_graph_pattern(pattern, pass_dict=joint_graph.patterns)(replace)


def patch_jax(jax: Any, fault: str) -> None:
    if fault == "operator":
        import jax.numpy

        jax.numpy.tanh = then(jax.numpy.tanh, shifted)
    elif fault == "leak":
        jax.jit = then(jax.jit, leaking)
    elif fault == "gradient":
        import jax.numpy

        jax.numpy.tanh = bent(jax.numpy.tanh, jax.lax.stop_gradient)
    elif fault == "arguments":
        import jax.numpy

        jax.numpy.arctan2 = swapped(jax.numpy.arctan2)
        jax.lax.atan2 = swapped(jax.lax.atan2)
    elif fault == "compiler":
        jax.jit = then(jax.jit, lambda f: then(f, shifted))
    elif fault == "stale":
        jax.jit = then(jax.jit, stale)


def patch_tensorflow(tf: Any, fault: str) -> None:
    if fault == "operator":
        tf.tanh = then(tf.tanh, shifted)
    elif fault == "leak":
        tf.tanh = leaking(tf.tanh)
    elif fault == "gradient":
        tf.tanh = bent(tf.tanh, tf.stop_gradient)
    elif fault == "compiler":
        tf.function = only_where(tf.function, is_xla, lambda f: then(f, shifted))
    elif fault == "stale":
        tf.function = then(tf.function, stale)
    elif fault == "load":
        load = tf.saved_model.load
        tf.saved_model.load = lambda folder: Loaded(load(folder))


def patch_keras(keras: Any, fault: str) -> None:
    """Faults of one backend."""
    from keras.src import backend

    if backend.backend() == fault.removesuffix(" arguments"):
        backend.numpy.arctan2 = swapped(backend.numpy.arctan2)


PATCHES = {
    "torch": patch_torch,
    "jax": patch_jax,
    "tensorflow": patch_tensorflow,
    "keras": patch_keras,
}


class Finder:
    """Finds a framework as the import system does, and patches it once it is imported."""

    def __init__(self, fault: str) -> None:
        self.fault = fault

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in PATCHES or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        sys.meta_path.insert(0, self)
        if spec is None or spec.loader is None:
            return None
        run = spec.loader.exec_module

        def exec_module(module: Any) -> None:
            run(module)
            PATCHES[name](module, self.fault)

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, Finder((pathlib.Path(__file__).parent / "fault.txt").read_text().strip()))
