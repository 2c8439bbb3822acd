"""What torch declares about its operators: the element types that its own tests use, and which kernels compute element by element."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Iterable
from typing import Any


def tests(module: str, table: str) -> list[Any]:
    """What torch describes for its own tests. Importing it needs a stand-in for expecttest."""
    test_package = types.ModuleType("expecttest")
    test_package.TestCase = type("TestCase", (), {})  # type: ignore[attr-defined]
    sys.modules.setdefault("expecttest", test_package)
    return list(getattr(importlib.import_module(f"torch.testing._internal.{module}"), table))


def types_on_cpu(info: Any) -> set[str]:
    return {str(t).removeprefix("torch.") for t in info.supported_dtypes("cpu")}


class Kernels:
    """What is odd about the tensors that a kernel is given: "undeclared", its tests use no tensor of that type; "mixes", a kernel that
    does not compute element by element gets fractions of several types; "mixes kinds", fractions and other types."""

    def __init__(self) -> None:
        self.types: dict[str, set[str]] = {}
        for info in sorted(tests("common_methods_invocations", "op_db"), key=lambda i: len(i.variant_test_name)):
            for name in {info.aten_name, info.name.removeprefix("nn.functional.")}:
                self.types.setdefault(name, types_on_cpu(info))

    def declared(self, name: str) -> set[str] | None:
        found = (self.types.get(n) for n in (name, name.rstrip("_"), name.strip("_")))
        return next((types for types in found if types), None)

    def marks(self, func: Any, tensors: Iterable[Any]) -> list[str]:
        """The marks of a call of the kernel, an overload of torch.ops.aten."""
        torch = sys.modules["torch"]
        dtypes = [t.dtype for t in tensors]
        pointwise = torch.Tag.pointwise in func.tags
        declared = self.declared(func.overloadpacket.__name__)
        names = [str(t).removeprefix("torch.") for t in (dtypes if pointwise else dtypes[:1])]
        marks = ["undeclared"] if declared and any(n not in declared for n in names) else []
        if not pointwise and len(set(dtypes)) > 1:
            fractions = {t for t in dtypes if t.is_floating_point or t.is_complex}
            marks.append("mixes" if len(fractions) > 1 else "mixes kinds")
        return marks
