"""Converts tensors to NumPy arrays and back, for adapters of engines that take arrays."""

from typing import Any

from assay_worker.adapter import Unsupported
from assay_worker.tensors import NUMPY_NAMES, Tensor


def array_of(np: Any, t: Tensor) -> Any:
    """A writable copy of the tensor as an array."""
    name = NUMPY_NAMES.get(t.dtype)
    if name is None:
        raise Unsupported(f"input {t.name}: NumPy has no dtype {t.dtype}")
    return np.frombuffer(t.data, dtype=name).reshape(t.dims).copy()


def tensor_of(np: Any, name: str, value: Any, declared: int | None = None) -> Tensor:
    """The array as a tensor, of the declared dtype even if the engine computed in another."""
    array = np.ascontiguousarray(value).reshape(np.shape(value))
    wanted = NUMPY_NAMES.get(declared or 0)
    if wanted and np.dtype(wanted).kind == array.dtype.kind:
        array = array.astype(wanted)
    for number, numpy_name in NUMPY_NAMES.items():
        if numpy_name == array.dtype.name:
            return Tensor(name, number, list(array.shape), array.tobytes())
    raise Unsupported(f"output {name}: dtype {array.dtype}")
