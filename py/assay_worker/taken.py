"""What one run of a compared call gave: named items, each a tensor's raw bytes or a plain value, and its exception."""

import pickle
from dataclasses import dataclass, field
from typing import Any

TENSOR = "tensor"
VALUE = "value"
PLAIN = (int, float, bool, complex, str, bytes, type(None))


class Named(str):
    """The name of a dtype, device or layout."""


@dataclass
class Item:
    """One value by its path: a tensor's raw bytes, or a plain value."""

    path: str
    kind: str
    dtype: str = ""
    shape: tuple[int, ...] = ()
    data: bytes | None = None  # None: a tensor without storage (meta, fake)
    value: Any = None


@dataclass
class Taken:
    """The state after one run of a call; raised: its exception, or None."""

    items: list[Item] = field(default_factory=list)
    raised: dict[str, Any] | None = None
    operators: list[str] = field(default_factory=list)
    draws: bool = False  # an operator drew random numbers; this and the next are told by the run in float64
    singular: bool = False  # an operator solved equations of a singular matrix

    def save(self, path: str) -> None:
        with open(path, "wb") as file:
            pickle.dump(self, file, pickle.HIGHEST_PROTOCOL)

    @staticmethod
    def load(path: str) -> "Taken":
        with open(path, "rb") as file:
            taken: Taken = pickle.load(file)
        return taken
