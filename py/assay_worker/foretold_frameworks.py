"""How the calls of foretold.py are made, run and computed abstractly, one class per framework.

A framework's abstract run computes shapes and types: without elements by torch's fake tensors, by tracing in JAX, Keras
and TensorFlow; for ONNX the model is handed back.
"""

from __future__ import annotations

import importlib
import math
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from assay_worker import frameworks, torch_declared

ELEMENTS_SHOWN = 4096
KERNELS_MAX = 8


class Unreadable(Exception):
    """This value cannot be written as data."""


class Abstains(Exception):
    """The outcome depends on values, or cannot be had here."""


class Model(Exception):
    """The abstract run is a model for the reader."""

    def __init__(self, data: bytes) -> None:
        super().__init__("a model")
        self.data = data


def number(v: Any) -> Any:
    if isinstance(v, complex):
        return [number(v.real), number(v.imag)]
    if isinstance(v, float) and not math.isfinite(v):
        return {"float": str(v)}
    return float(f"{v:.4g}") if isinstance(v, float) else v


def real(v: Any) -> Any:
    if isinstance(v, dict):
        return float(v["float"])
    return complex(real(v[0]), real(v[1])) if isinstance(v, list) else v


def array_of(t: dict[str, Any]) -> Any:
    """The NumPy array that data describe; names of ml_dtypes (bfloat16) are known where it is installed."""
    name = t["dtype"]
    if name in frameworks.NARROW:
        dtype = getattr(importlib.import_module("ml_dtypes"), name)
    else:
        dtype = np.dtype(name)
    return np.array([real(v) for v in t["values"]], dtype=dtype).reshape(t["shape"])


class Framework:
    """A framework whose tensors are made from NumPy arrays.

    abstract_name: "" if there is no abstract run; seconds: a call that says nothing for so long hangs; compiles: every real run
    compiles, and costs much more than an abstract one."""

    abstract_name = ""
    seconds = 20
    calls_of_child = 1000
    compiles = False

    def __init__(self, opened: frameworks.Framework) -> None:
        self.opened = opened
        self.kernels: list[list[str]] = []  # of the last abstract run: what it called, and the types of the tensors given
        self.marks: set[str] = set()  # of the last abstract run: what is odd about what was called

    def called(self, name: str, types: Iterable[str]) -> None:
        """Notes a kernel of the abstract run; the last KERNELS_MAX are kept."""
        row = [name, *types]
        if row not in self.kernels:
            self.kernels.append(row)
            del self.kernels[:-KERNELS_MAX]

    # Values

    def tensor(self, t: dict[str, Any]) -> Any:
        return self.opened.make(array_of(t))

    def made(self, value: Any) -> Any:
        """The value that data describe."""
        if isinstance(value, list):
            return [self.made(v) for v in value]
        if not isinstance(value, dict):
            return value
        if "tensor" in value:
            return self.tensor(value["tensor"])
        if "tuple" in value:
            return tuple(self.made(v) for v in value["tuple"])
        if "dtype" in value:
            return self.opened.dtype(value["dtype"])
        if "complex" in value:
            return complex(*value["complex"])
        return float(value["float"])

    def is_tensor(self, value: Any) -> bool:
        raise NotImplementedError

    def array(self, value: Any) -> Any:
        return np.asarray(value)

    def described(self, value: Any) -> tuple[str, list[int]]:
        """dtype and shape of a tensor, real or abstract."""
        return str(value.dtype), [int(d) for d in value.shape]

    def told_tensor(self, value: Any) -> dict[str, Any]:
        dtype, shape = self.described(value)
        array = self.array(value)
        if array.dtype.kind not in "biufcV" or array.size > ELEMENTS_SHOWN:
            raise Unreadable(dtype)
        return {"dtype": dtype, "shape": shape, "values": [number(v) for v in array.flatten().tolist()]}

    def told(self, value: Any) -> Any:
        """The value as data. Raises Unreadable."""
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, float):
            return number(value)
        if isinstance(value, complex):
            return {"complex": [value.real, value.imag]}
        if self.is_tensor(value) or isinstance(value, np.ndarray):
            return {"tensor": self.told_tensor(value)}
        if isinstance(value, tuple) and type(value) is tuple:
            return {"tuple": [self.told(v) for v in value]}
        if isinstance(value, list):
            return [self.told(v) for v in value]
        raise Unreadable(type(value).__name__)

    def leaves(self, value: Any) -> list[list[Any]]:
        if self.is_tensor(value):
            return [list(self.described(value))]
        if isinstance(value, (list, tuple)):
            return [leaf for v in value for leaf in self.leaves(v)]
        if isinstance(value, dict):
            return [leaf for k in value for leaf in self.leaves(value[k])]
        return [[type(value).__name__, []]]

    # Calls

    def find(self, dotted: str) -> Any:
        return self.opened.find(dotted)

    def seed(self) -> None:
        np.random.seed(0)

    def function(self, call: dict[str, Any]) -> Any:
        """What the call calls. With "make" a class is made of so many arguments and all named ones, then called."""
        found = self.find(call["symbol"])
        n = call.get("make")
        return found if n is None else lambda *args, **keys: found(*args[:n], **keys)(*args[n:])

    def real(self, function: Any, args: list[Any], keys: dict[str, Any]) -> Any:
        return function(*args, **keys)

    def abstract(self, function: Any, args: list[Any], keys: dict[str, Any]) -> Any:
        raise Abstains("no abstract run")

    def abstains(self, e: Exception, abstract: bool) -> bool:
        """Does the exception say nothing about the call?"""
        return False

    # Arguments with their tensors taken out, for tracing

    def split(self, value: Any, tensors: list[Any]) -> Any:
        if self.is_tensor(value):
            tensors.append(value)
            return _Hole(len(tensors) - 1)
        if isinstance(value, (list, tuple)):
            return type(value)(self.split(v, tensors) for v in value)
        return value

    def joined(self, value: Any, tensors: Any) -> Any:
        if isinstance(value, _Hole):
            return tensors[value.at]
        if isinstance(value, (list, tuple)):
            return type(value)(self.joined(v, tensors) for v in value)
        return value

    def function_of_tensors(
        self, function: Any, args: list[Any], keys: dict[str, Any]
    ) -> tuple[Callable[..., Any], list[Any]]:
        """The call as a function of its tensors alone, and these."""
        tensors: list[Any] = []
        told_args = [self.split(v, tensors) for v in args]
        told_keys = {k: self.split(v, tensors) for k, v in keys.items()}

        def call(*given: Any) -> Any:
            return function(
                *[self.joined(v, given) for v in told_args],
                **{k: self.joined(v, given) for k, v in told_keys.items()},
            )

        return call, tensors


class _Hole:
    def __init__(self, at: int) -> None:
        self.at = at


class Torch(Framework):
    abstract_name = "fake"
    seconds = 5
    calls_of_child = 1 << 30
    names_abstain = (
        "DataDependentOutputException",
        "DynamicOutputShapeException",
        "UnsupportedOperatorException",
        "UnsupportedFakeTensorException",
        "GuardOnDataDependentSymNode",
    )

    def __init__(self) -> None:
        super().__init__(frameworks.open_torch())
        import torch
        from torch._subclasses.fake_tensor import FakeTensorMode

        self.torch = torch
        leaves_of = torch.utils._pytree.tree_leaves
        called = self.called
        marks = self.marks
        declared = torch_declared.Kernels()

        class Mode(FakeTensorMode):
            depth = 0

            def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                if not self.depth and func.namespace == "aten":
                    tensors = [t for t in leaves_of((args, kwargs)) if torch.is_tensor(t)]
                    marks.update(declared.marks(func, tensors))
                    called(func.overloadpacket.__name__, (str(t.dtype).removeprefix("torch.") for t in tensors))
                self.depth += 1
                try:
                    return super().__torch_dispatch__(func, types, args, kwargs)
                finally:
                    self.depth -= 1

        self.mode = Mode
        one = torch.ones(1)
        self.abstract(torch.add, [one, one], {})  # imports what fake runs need, before any fork

    def tensor(self, t: dict[str, Any]) -> Any:
        flat = self.torch.tensor([real(v) for v in t["values"]], dtype=getattr(self.torch, t["dtype"]))
        return flat.reshape(t["shape"])

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.torch.Tensor)

    def described(self, value: Any) -> tuple[str, list[int]]:
        return str(value.dtype).removeprefix("torch."), [int(d) for d in value.shape]

    def told_tensor(self, value: Any) -> dict[str, Any]:
        torch = self.torch
        if isinstance(value, np.ndarray) or value.layout != torch.strided or value.is_quantized:
            raise Unreadable("layout")
        if type(value) is not torch.Tensor:
            raise Unreadable("type")
        dtype, shape = self.described(value)
        values = [number(v) for v in value.detach().resolve_conj().flatten().tolist()]
        return {"dtype": dtype, "shape": shape, "values": values}

    def told(self, value: Any) -> Any:
        if isinstance(value, self.torch.dtype):
            return {"dtype": str(value).removeprefix("torch.")}
        if isinstance(value, self.torch.Size):
            return {"tuple": list(value)}
        return super().told(value)

    def seed(self) -> None:
        self.torch.manual_seed(0)

    def function(self, call: dict[str, Any]) -> Any:
        """Of an optimiser: one step of it for a parameter and its gradient; gives the parameter."""
        found = super().function(call)
        if not call.get("step"):
            return found

        def step(parameter: Any, gradient: Any, **options: Any) -> Any:
            parameter.grad = gradient
            found([parameter], **options).step()
            return parameter

        return step

    def abstract(self, function: Any, args: list[Any], keys: dict[str, Any]) -> Any:
        mode = self.mode()
        args, keys = self.torch.utils._pytree.tree_map_only(
            self.torch.Tensor, mode.from_tensor, (args, keys)
        )
        self.kernels.clear()
        self.marks.clear()
        with mode:
            return function(*args, **keys)

    def abstains(self, e: Exception, abstract: bool) -> bool:
        return abstract and (type(e).__name__ in self.names_abstain or "data-dependent" in str(e))


class Jax(Framework):
    abstract_name = "traced"
    compiles = True

    def __init__(self) -> None:
        super().__init__(frameworks.open_jax())
        self.jax = self.opened.roots["jax"]

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, (self.jax.Array, self.jax.ShapeDtypeStruct))

    def abstract(self, function: Any, args: list[Any], keys: dict[str, Any]) -> Any:
        call, tensors = self.function_of_tensors(function, args, keys)
        shapes = [self.jax.ShapeDtypeStruct(t.shape, t.dtype) for t in tensors]
        return self.jax.eval_shape(call, *shapes)

    def abstains(self, e: Exception, abstract: bool) -> bool:
        kinds = tuple(
            getattr(self.jax.errors, n)
            for n in (
                "ConcretizationTypeError",
                "TracerArrayConversionError",
                "TracerIntegerConversionError",
                "NonConcreteBooleanIndexError",
            )
        )
        return abstract and (isinstance(e, kinds) or "abstract" in str(e) or "Tracer" in str(e))


class TensorFlow(Framework):
    abstract_name = "traced"

    def __init__(self) -> None:
        super().__init__(frameworks.open_tensorflow())
        self.tf = self.opened.roots["tf"]

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, (self.tf.Tensor, self.tf.Variable))

    def array(self, value: Any) -> Any:
        return value.numpy()

    def described(self, value: Any) -> tuple[str, list[int]]:
        if value.shape.rank is None or None in value.shape.as_list():
            raise Abstains("a shape is not known")
        return value.dtype.name.removesuffix("_ref"), value.shape.as_list()

    def told(self, value: Any) -> Any:
        if isinstance(value, self.tf.DType):
            return {"dtype": value.name}
        return super().told(value)

    def seed(self) -> None:
        self.tf.random.set_seed(0)

    def function(self, call: dict[str, Any]) -> Any:
        if ".raw_ops." in call["symbol"] and call["args"]:  # they take arguments by name only
            raise Abstains("arguments by position")
        return super().function(call)

    def abstract(self, function: Any, args: list[Any], keys: dict[str, Any]) -> Any:
        call, tensors = self.function_of_tensors(function, args, keys)
        traced = self.tf.function(call, autograph=False, reduce_retracing=False)
        specs = [self.tf.TensorSpec(t.shape, t.dtype) for t in tensors]
        graph = traced.get_concrete_function(*specs)
        for operation in graph.graph.get_operations():
            if operation.inputs:
                self.called(operation.type, (x.dtype.base_dtype.name for x in operation.inputs))
        return graph.structured_outputs

    def abstains(self, e: Exception, abstract: bool) -> bool:
        text = str(e)
        kernel = "No registered" in text or "Could not find device for node" in text
        graph = type(e).__name__ in ("OperatorNotAllowedInGraphError", "NotImplementedError")
        return (abstract and (graph or "symbolic" in text or "numpy()" in text)) or (
            not abstract and kernel
        )


class Keras(Framework):
    """On the NumPy back end, Keras's own reference."""

    abstract_name = "traced"

    def __init__(self) -> None:
        super().__init__(frameworks.open_keras("numpy"))
        self.keras = self.opened.roots["keras"]

    def is_tensor(self, value: Any) -> bool:
        # Results of the NumPy back end are its arrays and scalars.
        return isinstance(value, (self.keras.KerasTensor, np.ndarray, np.generic))

    def described(self, value: Any) -> tuple[str, list[int]]:
        if None in value.shape:
            raise Abstains("a shape is not known")
        dtype = self.keras.backend.standardize_dtype(value.dtype)
        return dtype, [int(d) for d in value.shape]

    def abstract(self, function: Any, args: list[Any], keys: dict[str, Any]) -> Any:
        call, tensors = self.function_of_tensors(function, args, keys)
        if not tensors:
            raise Abstains("no tensors")
        shapes = [self.keras.KerasTensor(t.shape, str(t.dtype)) for t in tensors]
        return call(*shapes)

    def abstains(self, e: Exception, abstract: bool) -> bool:
        return abstract and ("KerasTensor" in str(e) or isinstance(e, AttributeError))


class Onnx(Framework):
    """A call is a node: inputs by position, attributes by name; the session of ONNX Runtime is its run."""

    abstract_name = "model"
    ir_version = 10
    opset = 24
    # Operators without a kernel of that version: those of a later one, and those whose newest kernel is of an earlier one.
    opsets = dict.fromkeys(("BitCast", "CumProd"), 26) | dict.fromkeys(
        (
            "Bernoulli",
            "GlobalLpPool",
            "MaxRoiPool",
            "Multinomial",
            "RandomNormal",
            "RandomNormalLike",
            "RandomUniform",
            "RandomUniformLike",
            "RoiAlign",
        ),
        21,
    )

    def __init__(self) -> None:
        import onnx
        import onnxruntime

        super().__init__(
            frameworks.Framework(
                "onnx", "onnx", {"ai": types.SimpleNamespace()}, lambda a: a, frameworks.numpy_leaf, np.dtype
            )
        )
        self.onnx = onnx
        self.runtime = onnxruntime
        onnxruntime.set_default_logger_severity(4)

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, (np.ndarray, np.generic))

    def attribute(self, name: str, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return self.onnx.helper.make_attribute(name, self.onnx.numpy_helper.from_array(value, name))
        return self.onnx.helper.make_attribute(name, value)

    def function(self, call: dict[str, Any]) -> Any:
        return call["symbol"].removeprefix("ai.onnx.")

    def model(self, op: str, args: list[Any], keys: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """The node's model and what is fed to it. Integer vectors after the first input are constants."""
        helper = self.onnx.helper
        opset = self.opsets.get(op, self.opset)
        n_outputs = max(1, self.onnx.defs.get_schema(op, opset).min_output)
        names, inputs, constants, fed = [], [], [], {}
        for i, value in enumerate(args):
            names.append("" if value is None else f"x{i}")
            if value is None:
                continue
            if not isinstance(value, np.ndarray):
                raise TypeError(f"input {i} is no tensor")
            kind = helper.np_dtype_to_tensor_dtype(value.dtype)
            if i and value.dtype == np.int64 and value.ndim <= 1:
                constants.append(self.onnx.numpy_helper.from_array(value, f"x{i}"))
            else:
                inputs.append(helper.make_tensor_value_info(f"x{i}", kind, list(value.shape)))
                fed[f"x{i}"] = value
        node = helper.make_node(op, names, [f"y{i}" for i in range(n_outputs)])
        for name, value in keys.items():
            node.attribute.append(self.attribute(name, value))
        outputs = [self.onnx.ValueInfoProto(name=f"y{i}") for i in range(n_outputs)]
        graph = helper.make_graph([node], "call", inputs, outputs, constants)
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
        made.ir_version = self.ir_version
        return made, fed

    def real(self, function: Any, args: list[Any], keys: dict[str, Any]) -> Any:
        made, fed = self.model(function, args, keys)
        options = self.runtime.SessionOptions()
        options.graph_optimization_level = self.runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = 1
        session = self.runtime.InferenceSession(
            made.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        return session.run(None, fed)

    def abstract(self, function: Any, args: list[Any], keys: dict[str, Any]) -> Any:
        raise Model(self.model(function, args, keys)[0].SerializeToString())

    def abstains(self, e: Exception, abstract: bool) -> bool:
        return type(e).__name__ == "NotImplemented"  # a type without a kernel is no defect


OPENED: dict[str, Callable[[], Framework]] = {
    "torch": Torch,
    "jax": Jax,
    "tensorflow": TensorFlow,
    "keras": Keras,
    "onnx": Onnx,
}
