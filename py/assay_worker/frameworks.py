"""How to make a tensor of each framework from a NumPy array, and read it back. A process opens only
one framework, since some calls abort a process that holds two.

A value that a call returned is read as a tree of lists and tuples with leaves. A tensor becomes a
NumPy array with the framework's name of its dtype; a number stays a number.
"""

import functools
import importlib
import importlib.metadata
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

NARROW = ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz")


@dataclass(frozen=True)
class Leaf:
    """A tensor: its elements (bfloat16 and narrower widened to float32) and its declared dtype."""

    array: Any
    dtype: str


@dataclass(frozen=True)
class Framework:
    """module: the one to import; make: array -> tensor; read: tensor -> Leaf, None: no tensor of this
    framework; dtype: name -> the framework's own dtype; names: roots of its public names."""

    name: str
    package: str
    roots: dict[str, Any]
    make: Callable[[Any], Any]
    read: Callable[[Any], Leaf | None]
    dtype: Callable[[str], Any]

    def find(self, dotted: str) -> Any:
        """What a public name stands for. Raises KeyError for an unknown root, else AttributeError."""
        root, *parts = dotted.split(".")
        return functools.reduce(getattr, parts, self.roots[root])

    def version(self) -> str:
        return importlib.metadata.version(self.package).split("+")[0]


def widened(array: Any, dtype: str) -> Leaf:
    return Leaf(array.astype(np.float32) if dtype in NARROW else array, dtype)


def numpy_leaf(value: Any) -> Leaf | None:
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        return widened(array, array.dtype.name) if array.dtype.kind in "biufcV" else None
    return None


def open_torch() -> Framework:
    import torch

    torch.set_num_threads(1)

    def read(value: Any) -> Leaf | None:
        if not isinstance(value, torch.Tensor):
            return None
        t = value.detach().resolve_conj().resolve_neg()
        if t.layout != torch.strided:
            t = t.to_dense()
        name = str(t.dtype).removeprefix("torch.")
        if name in NARROW:
            t = t.to(torch.float32)
        return Leaf(t.cpu().numpy().copy(), name)

    return Framework(
        "torch",
        "torch",
        {"torch": torch},
        lambda a: torch.from_numpy(a.copy()),
        read,
        lambda name: getattr(torch, name),
    )


def open_jax() -> Framework:
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax

    jax.config.update("jax_enable_x64", True)
    for part in ("numpy.fft", "numpy.linalg", "nn.initializers", "image", "random", "ops"):
        importlib.import_module(f"jax.{part}")
    for part in ("special", "linalg", "signal", "fft", "stats", "ndimage", "integrate"):
        importlib.import_module(f"jax.scipy.{part}")

    def read(value: Any) -> Leaf | None:
        if isinstance(value, jax.Array):
            array = np.asarray(value)
            return widened(array, array.dtype.name)
        return numpy_leaf(value)

    return Framework("jax", "jax", {"jax": jax}, jax.numpy.asarray, read, jax.numpy.dtype)


def open_tensorflow() -> Framework:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)

    def read(value: Any) -> Leaf | None:
        if isinstance(value, tf.SparseTensor):
            value = tf.sparse.to_dense(value)
        if isinstance(value, (tf.Tensor, tf.Variable)) and value.dtype != tf.string:
            return widened(value.numpy(), value.dtype.name)
        return numpy_leaf(value)

    return Framework(
        "tensorflow",
        "tensorflow-cpu",
        {"tensorflow": tf, "tf": tf},
        tf.constant,
        read,
        tf.dtypes.as_dtype,
    )


def open_keras(backend: str) -> Framework:
    os.environ["KERAS_BACKEND"] = backend
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import keras

    def read(value: Any) -> Leaf | None:
        if isinstance(value, keras.Variable):
            value = value.value
        if keras.ops.is_tensor(value):
            array = np.asarray(keras.ops.convert_to_numpy(value))
            return widened(array, keras.backend.standardize_dtype(value.dtype))
        return numpy_leaf(value)

    return Framework(
        "keras", "keras", {"keras": keras}, keras.ops.convert_to_tensor, read, lambda name: name
    )


def open_numpy() -> Framework:
    return Framework("numpy", "numpy", {"numpy": np}, lambda a: a.copy(), numpy_leaf, np.dtype)


OPENED: dict[str, Callable[[], Framework]] = {
    "torch": open_torch,
    "jax": open_jax,
    "tensorflow": open_tensorflow,
    "keras-tensorflow": lambda: open_keras("tensorflow"),
    "keras-jax": lambda: open_keras("jax"),
    "keras-numpy": lambda: open_keras("numpy"),
    "keras-torch": lambda: open_keras("torch"),
    "numpy": open_numpy,
}


def open_framework(name: str) -> Framework:
    """Imports one framework: a key of OPENED, which for Keras names the backend too."""
    return OPENED[name]()
