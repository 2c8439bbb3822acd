"""Calls that fit a schema of torch ("aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor").

Values are data as foretold.py reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

# Shapes of the tensors of a call, all of one element type, and how long its lists of numbers are.
SHAPES = [[2, 3], [3, 3], [4], [2, 3, 4], [1, 2, 4, 4], [1, 2, 3, 4, 4]]
ELEMENT_TYPES = ["float32", "int64"]
# A value of each type without a default; None: as many ones as the tensors have dimensions less two.
VALUES = {"int": 1, "SymInt": 1, "float": 0.5, "bool": True, "Scalar": 2, "int[]": None, "SymInt[]": None}


class Parameter(NamedTuple):
    """One parameter of a schema: its type without aliasing marks and sizes, whether it may be left out, and given by name only."""

    type: str
    has_default: bool
    by_name: bool
    name: str


def parameters(schema: str) -> list[Parameter]:
    """The parameters of a schema, in order; none if it writes to `out` or cannot be read."""
    found = re.match(r"[\w:.]+\((.*)\) ->", schema)
    if not found or re.search(r"\bout[\w]*\)? *(,|$)", found[1]):
        return []
    rows = []
    by_name = False
    for text in re.split(r", (?![^(\[]*[)\]])", found[1]):
        if text == "*":
            by_name = True
            continue
        declared, has_default, _ = re.sub(r"\([^)]*\)", "", text, count=1).partition("=")
        type_, _, name = declared.rpartition(" ")
        rows.append(Parameter(re.sub(r"\[\d+\]", "[]", type_), bool(has_default), by_name, name))
    return rows


def is_of(value: Any, type_: str) -> bool:
    """Does the value fit the type? Numbers fit wider types, and None what is optional."""
    kind = type_.rstrip("?")
    if value is None:
        return type_.endswith("?")
    if isinstance(value, dict) and "tensor" in value:
        return kind == "Tensor"
    if isinstance(value, list) or (isinstance(value, dict) and "tuple" in value):
        items = value if isinstance(value, list) else value["tuple"]
        return kind.endswith("[]") and all(is_of(v, kind[:-2]) for v in items)
    if isinstance(value, bool):
        return kind == "bool"
    if isinstance(value, int):
        return kind in ("int", "SymInt", "float", "Scalar")
    if isinstance(value, float):
        return kind in ("float", "Scalar")
    return kind not in VALUES and not kind.startswith("Tensor")


def fits(rows: list[Parameter], args: list[Any]) -> bool:
    """Do these positional arguments fit the parameters, and are all others optional?"""
    positional = [p for p in rows if not p.by_name]
    return (
        len(args) <= len(positional)
        and all(is_of(v, p.type) for v, p in zip(args, positional, strict=False))
        and all(p.has_default for p in rows[len(args) :])
    )


def tensor(shape: list[int], dtype: str) -> dict[str, Any]:
    """A tensor of small numbers that differ; integers are indices of any dimension."""
    n = 1
    for d in shape:
        n *= d
    values = [i % 2 if dtype == "int64" else 0.25 * (i % 7) + 0.5 for i in range(n)]
    return {"tensor": {"dtype": dtype, "shape": shape, "values": values}}


def value_of(type_: str, shape: list[int], dtype: str) -> Any:
    """A value of the type. Raises KeyError: none is known."""
    if type_ == "Tensor":
        return tensor(shape, dtype)
    if type_ == "Tensor[]":
        return [tensor(shape, dtype), tensor(shape, dtype)]
    if type_.endswith("?"):
        return None
    value = VALUES[type_]
    return [1] * max(1, len(shape) - 2) if value is None else value


def calls_of(rows: list[Parameter]) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """Positional and named arguments of a schema: only those without a default, once for each shape and element type."""
    needed = [p for p in rows if not p.has_default]
    if not needed:
        return
    for dtype in ELEMENT_TYPES:
        for shape in SHAPES:
            try:
                args = [value_of(p.type, shape, dtype) for p in needed if not p.by_name]
                yield args, {p.name: value_of(p.type, shape, dtype) for p in needed if p.by_name}
            except KeyError:
                return
