"""Tensors in exchange files: raw little-endian bytes, each tensor at a multiple of 64."""

from dataclasses import dataclass
from typing import Any

ALIGN = 64

# Numbers of TensorProto.DataType; the names are NumPy's, or None where it has no such dtype.
NUMPY_NAMES: dict[int, str | None] = {
    1: "float32",
    2: "uint8",
    3: "int8",
    4: "uint16",
    5: "int16",
    6: "int32",
    7: "int64",
    9: "bool",
    10: "float16",
    11: "float64",
    12: "uint32",
    13: "uint64",
    14: "complex64",
    15: "complex128",
}


@dataclass(frozen=True)
class Tensor:
    name: str
    dtype: int
    dims: list[int]
    data: bytes


def read_set(path: str, rows: list[dict[str, Any]]) -> list[Tensor]:
    with open(path, "rb") as file:
        data = file.read()
    return [
        Tensor(r["name"], r["dtype"], r["dims"], data[r["at"] : r["at"] + r["n"]]) for r in rows
    ]


class Writer:
    """Collects tensors of one result file; `describe` returns the rows of a run."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._n = 0

    def describe(self, tensors: list[Tensor]) -> list[dict[str, Any]]:
        rows = []
        for t in tensors:
            rows.append(
                {"name": t.name, "dtype": t.dtype, "dims": t.dims, "at": self._n, "n": len(t.data)}
            )
            padding = -len(t.data) % ALIGN
            self._parts += [t.data, bytes(padding)]
            self._n += len(t.data) + padding
        return rows

    def save(self, path: str) -> None:
        if self._n:
            with open(path, "wb") as file:
                file.write(b"".join(self._parts))
