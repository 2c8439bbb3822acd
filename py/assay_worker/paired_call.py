"""One call that a program writes for several frameworks: runs the one of this worker's framework.

Such a program belongs to no framework. It defines call_torch, call_jax, ... over the same NumPy
arrays and SYMBOLS, the name of what each calls (src/generate/transfer/call.h). Its result is captured
leaf by leaf; with SAME_DTYPES also the dtype of each tensor, as an output of its own.
"""

from typing import Any, Callable

import numpy as np

from assay_worker.adapter import Capture, ProgramJob, ProgramResult, Unsupported
from assay_worker.function import NUMBERS as DTYPE_NUMBERS
from assay_worker.tensors import NUMPY_NAMES, Tensor

NUMBERS = {name: number for number, name in NUMPY_NAMES.items()}
LEAVES_MAX = 16


class _Kept:
    def __init__(self, symbol: str, with_dtypes: bool) -> None:
        self.symbol, self.with_dtypes = symbol, with_dtypes
        self.captures: list[Capture] = []

    def _add(self, path: str, array: Any) -> None:
        number = NUMBERS[array.dtype.name]
        data = Tensor(path, number, list(array.shape), array.tobytes())
        self.captures.append(Capture(self.symbol, 0, 0, path, data))

    def leaf(self, path: str, array: Any, dtype: str) -> None:
        if len(self.captures) > LEAVES_MAX:
            raise Unsupported("more results than are compared")
        if array.dtype.name not in NUMBERS:
            array = array.astype(np.float32)  # bfloat16 and narrower
        if array.dtype.kind == "c":
            self._add(path + ".real", np.ascontiguousarray(array.real).reshape(array.shape))
            self._add(path + ".imag", np.ascontiguousarray(array.imag).reshape(array.shape))
        else:
            self._add(path, np.ascontiguousarray(array).reshape(array.shape))
        if self.with_dtypes and dtype in DTYPE_NUMBERS:
            self._add(path + ".dtype", np.asarray(DTYPE_NUMBERS[dtype], np.int64))


def run(
    path: str, entry: str, framework: str, read: Callable[[Any], tuple[Any, str] | None]
) -> ProgramResult:
    """read: a tensor of the framework as an array and its dtype's name; None: it is no tensor."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    names: dict[str, Any] = {"__name__": "paired_call"}
    exec(compile(source, path, "exec"), names)  # noqa: S102 - runs in the sandbox
    call = names.get(f"{entry}_{framework.replace('-', '_')}")
    if call is None:
        return ProgramResult([], [], "not written for this framework")
    symbol = names.get("SYMBOLS", {}).get(framework, framework)
    kept = _Kept(symbol, bool(names.get("SAME_DTYPES")))

    def keep(value: Any, at: str) -> None:
        if isinstance(value, (list, tuple)):
            for i, part in enumerate(value):
                keep(part, f"{at}[{i}]")
            return
        found = read(value)
        if found is None:
            array = np.asarray(value)
            if array.dtype.name not in NUMBERS:
                raise Unsupported(f"a result of the type {type(value).__name__}")
            found = array, array.dtype.name
        kept.leaf(at, *found)

    keep(call(), "out")
    return ProgramResult(kept.captures, [symbol])


def run_modes(
    job: ProgramJob, framework: str, read: Callable[[Any], tuple[Any, str] | None]
) -> list[ProgramResult | dict[str, Any]]:
    """One result for each mode of the job: the call has no optimiser, so the mode "eager" alone has one."""
    result = run(job.path, job.entry, framework, read)
    other = {"outcome": "not-target", "type": "", "message": "a call without an optimiser"}
    return [result if m.name == "eager" else other for m in job.modes]
