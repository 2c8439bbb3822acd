"""Compares calls of functions that a framework has traced: what was traced is interpreted, operator by operator.

The program's own Python code runs once, as without assay: no process is forked, which the threads of
XLA and TensorFlow would not survive, and no function is called twice. What tracing itself gets wrong
is not seen.
"""

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay_worker import errors
from assay_worker.judgement import Judgement
from assay_worker.measure import UNITS
from assay_worker.sites import Site, Sites
from assay_worker.taken import TENSOR, Item, Taken

RUN_DEADLINE_S = 20.0
WIDE = {"float32": "float64", "float16": "float64", "bfloat16": "float64", "complex64": "complex128"}


class Late(Exception):
    """A run took longer than it may."""


class NotJudged(Exception):
    """What was traced has effects, or state that is not known."""


class Way:
    """How operators are run: as they are, in float64, or with their inputs moved.

    One run of one call: holds its deadline, and records the operators that ran.
    """

    def __init__(self, is_wide: bool = False, noise: int | None = None) -> None:
        self.is_wide = is_wide
        self.generator = None if noise is None else np.random.default_rng(noise)
        self.operators: dict[str, None] = {}
        self.ends = time.monotonic() + RUN_DEADLINE_S

    def begin(self, operator: str) -> None:
        if time.monotonic() > self.ends:
            raise Late(operator)
        self.operators[operator] = None

    def dtype(self, name: str) -> str:
        """What a value of this dtype has in this run."""
        return WIDE.get(name, name) if self.is_wide else name

    def moved(self, x: Any, name: str, n_terms: int) -> Any:
        """An array of the dtype with each element moved by its rounding unit times max(1, sqrt(n_terms) / 8)."""
        if self.generator is None or name not in UNITS or not x.size:
            return x
        size = UNITS[name] * max(1.0, math.sqrt(n_terms) / 8)
        sign = self.generator.integers(0, 2, x.shape) * 2 - 1
        if x.dtype.kind == "c":  # both parts at once: a product of complex numbers makes NaN of infinities
            parts = np.stack([x.real, x.imag], -1).astype(np.float64) * (1 + sign * size)[..., None]
            return parts.view(np.complex128)[..., 0].astype(x.dtype)
        return (x.astype(np.float64) * (1 + sign * size)).astype(x.dtype)


def check_range(x: Any, integer: str) -> None:
    """Raises NotJudged if a float of the array has no value in the integer dtype: what it becomes is not defined."""
    limits = np.iinfo(integer)
    wide = np.trunc(x.astype(np.float64))
    if not bool(((wide >= float(limits.min)) & (wide <= float(limits.max))).all()):
        raise NotJudged(f"{integer} of a float that is out of range")


def item(path: str, array: Any, dtype: str) -> Item:
    """An array as it is compared; dtype: its name in the framework."""
    return Item(path, TENSOR, dtype, tuple(array.shape), np.ascontiguousarray(array).tobytes())


@dataclass
class Interpreted:
    """The runs of one call. evaluate: the items that it gives when it is run in a way.

    An operator that is refused alone gives no answer: a compiler may well take what the framework has no
    kernel for.
    """

    evaluate: Callable[[Way], list[Item]]
    why: str = ""  # there was no answer
    redraws: ClassVar[bool] = False
    scripted: ClassVar[bool] = False

    def _run(self, way: Way) -> Taken | None:
        try:
            items = self.evaluate(way)
        except Exception as e:  # noqa: BLE001
            self.why = self.why or f"{type(e).__name__}: {e}"[:200]
            return None
        return Taken(items, operators=list(way.operators))

    def eager(self) -> Taken | None:
        return self._run(Way())

    def double(self) -> Taken | None:
        return self._run(Way(is_wide=True))

    def noise(self, seed: int) -> Taken | None:
        return self._run(Way(noise=seed))

    def accepts_unused(self) -> bool:
        return False


class TracedSites(Sites):
    """Sites of optimisers whose calls are compared in the program's own process."""

    def compare(
        self,
        site: Site,
        runs: Interpreted,
        run: Callable[[], Any],
        items_of: Callable[[Any], list[Item]],
        began: float,
    ) -> Any:
        """Runs the call as written and returns its result. began: when what is needed to repeat it was first taken."""
        taken = Taken()
        raised: Exception | None = None
        result = None
        held = time.monotonic() - began
        self.depth += 1
        try:
            result = run()
        except Exception as e:  # noqa: BLE001
            raised = e
        finally:
            self.depth -= 1
        began = time.monotonic() - held
        if raised is None:
            taken.items = items_of(result)
        else:
            taken.raised = errors.raised(raised, self.program)
        folder = self.folder_of_next()
        os.makedirs(folder, exist_ok=True)
        self.depth += 1
        try:
            found = Judgement(runs, folder).make(taken)
        finally:
            self.depth -= 1
        if "lost" in found:
            self.note(f"not interpreted ({runs.why})")
        self.add(site, found, folder, began)
        if raised is not None:
            raise raised
        return result
