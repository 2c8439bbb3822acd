"""Calls of torch as data: seeds from the framework's own samples, and outcomes of calls, real and fake.

python -I -B .../foretold.py seeds          one line of JSON per seed call
python -I -B .../foretold.py run ORDER      ORDER: {"calls": [call, ...]}; one line per call, in order

A call is {"symbol", "op", "args", "keys"}; an argument is a JSON value or one of

    {"tensor": {"dtype", "shape", "values"}}   row-major; complex values as [real, imaginary]
    {"tuple": [...]}, {"float": "nan" | "inf" | "-inf"}, {"complex": [a, b]}, {"dtype": "float32"}

`run` prints {"real": outcome, "fake": outcome, "cpu_ns": [real, fake]} for each. An outcome is {"is": "ok", "leaves": [[dtype,
shape], ...]}, {"is": "raised", "type", "message"}, {"is": "died" | "hangs"}, or, for a fake run, {"is": "abstains",
"message"}: the result depends on values. Calls run in forked children, so that none affects another. A fake run
uses torch's FakeTensorMode: shapes and types without elements. Seeds come from the operator samples in torch.testing;
only their shapes, types and numbers are copied.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import logging
import math
import os
import select
import signal
import sys
import time
import types
import warnings
from collections.abc import Iterator
from typing import Any

import torch

PR_SET_PDEATHSIG = 1
ELEMENTS_MAX = 128  # of all tensors of a seed
SEEDS_OF_OP = 3
SAMPLES_SEEN = 100
SECONDS = 5
MESSAGE_MAX = 300
ABSTAINS = (
    "DataDependentOutputException",
    "DynamicOutputShapeException",
    "UnsupportedOperatorException",
    "UnsupportedFakeTensorException",
    "GuardOnDataDependentSymNode",
)


class Unreadable(Exception):
    """This value cannot be written as data."""


# Values -------------------------------------------------------------------------------------------


def number(v: Any) -> Any:
    if isinstance(v, complex):
        return [number(v.real), number(v.imag)]
    if isinstance(v, float) and not math.isfinite(v):
        return {"float": str(v)}
    return float(f"{v:.4g}") if isinstance(v, float) else v


def told(value: Any) -> Any:
    """The value as data. Raises Unreadable."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return number(value)
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).removeprefix("torch.")}
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided or value.is_quantized or type(value) is not torch.Tensor:
            raise Unreadable("layout")
        dtype = str(value.dtype).removeprefix("torch.")
        values = [number(v) for v in value.detach().resolve_conj().flatten().tolist()]
        return {"tensor": {"dtype": dtype, "shape": list(value.shape), "values": values}}
    if isinstance(value, tuple):
        return {"tuple": [told(v) for v in value]}
    if isinstance(value, list):
        return [told(v) for v in value]
    raise Unreadable(type(value).__name__)


def real(v: Any) -> Any:
    if isinstance(v, dict):
        return float(v["float"])
    return complex(real(v[0]), real(v[1])) if isinstance(v, list) else v


def made(value: Any) -> Any:
    """The value that data describe."""
    if isinstance(value, list):
        return [made(v) for v in value]
    if not isinstance(value, dict):
        return value
    if "tensor" in value:
        t = value["tensor"]
        flat = torch.tensor([real(v) for v in t["values"]], dtype=getattr(torch, t["dtype"]))
        return flat.reshape(t["shape"])
    if "tuple" in value:
        return tuple(made(v) for v in value["tuple"])
    if "dtype" in value:
        return getattr(torch, value["dtype"])
    if "complex" in value:
        return complex(*value["complex"])
    return float(value["float"])


def n_elements(value: Any) -> int:
    if isinstance(value, torch.Tensor):
        return max(1, value.numel())
    return sum(map(n_elements, value)) if isinstance(value, (list, tuple)) else 0


# Seeds --------------------------------------------------------------------------------------------


def find(name: str) -> Any:
    value: Any = torch
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def names_of(info: Any) -> list[str]:
    """Public names by which the operator can be called with the arguments of its samples."""
    found = []
    own = info.name.removeprefix("_refs.")
    wanted = [own, *(a.name for a in info.aliases)]
    for name in wanted:
        full = f"torch.{name}"
        with contextlib.suppress(AttributeError):
            if callable(find(full)):
                found.append(full)
        last = name.rsplit(".", 1)[-1]
        for method in (last, last + "_"):
            variant = info.inplace_variant if method.endswith("_") else info.method_variant
            if variant is not None and hasattr(torch.Tensor, method):
                found.append(f"torch.Tensor.{method}")
    return list(dict.fromkeys(found))


def samples_of(info: Any) -> list[tuple[list[Any], dict[str, Any]]]:
    """Small samples of the first dtype that has any, those with most arguments first."""
    kept: list[tuple[list[Any], dict[str, Any]]] = []
    for dtype in (torch.float32, torch.int64, torch.bool, torch.complex64):
        if not info.supports_dtype(dtype, "cpu"):
            continue
        torch.manual_seed(0)
        with contextlib.suppress(Exception):
            for i, s in enumerate(info.sample_inputs("cpu", dtype)):
                args = [s.input, *s.args]
                if i >= SAMPLES_SEEN:
                    break
                if n_elements([*args, *s.kwargs.values()]) <= ELEMENTS_MAX:
                    kept.append((args, dict(s.kwargs)))
        if kept:
            break
    kept.sort(key=lambda k: -(len(k[0]) + len(k[1])))
    return kept


def operators() -> list[Any]:
    """The operators that torch describes for its own tests. Importing them needs a stand-in for expecttest."""
    test_package = types.ModuleType("expecttest")
    test_package.TestCase = type("TestCase", (), {})  # type: ignore[attr-defined]
    sys.modules.setdefault("expecttest", test_package)
    from torch.testing._internal.common_methods_invocations import op_db

    return list(op_db)


def seeds() -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for info in operators():
        names = [n for n in names_of(info) if n not in seen]
        seen.update(names)
        samples = samples_of(info) if names else []
        for at, name in enumerate(names):
            n = 0
            for args, keys in samples:
                if n == (SEEDS_OF_OP if at == 0 else 1):
                    break
                with contextlib.suppress(Unreadable):
                    op = name.rsplit(".", 1)[-1].rstrip("_").removesuffix("_copy").replace("_", "")
                    row = {"symbol": name, "op": op.lower()}
                    row |= {"args": told(args), "keys": {k: told(v) for k, v in keys.items()}}
                    yield row
                    n += 1


# Runs ---------------------------------------------------------------------------------------------


def leaves(value: Any) -> list[list[Any]]:
    if isinstance(value, torch.Tensor):
        return [[str(value.dtype).removeprefix("torch."), [int(d) for d in value.shape]]]
    if isinstance(value, (list, tuple)):
        return [leaf for v in value for leaf in leaves(v)]
    if isinstance(value, dict):
        return [leaf for k in value for leaf in leaves(value[k])]
    return [[type(value).__name__, []]]


def outcome_of(call: dict[str, Any], mode: Any) -> dict[str, Any]:
    with contextlib.ExitStack() as stack:
        try:
            args, keys = made(call["args"]), {k: made(v) for k, v in call["keys"].items()}
        except Exception as e:  # noqa: BLE001 - values that do not fit the type
            return {"is": "abstains", "message": f"cannot be made: {e}"[:MESSAGE_MAX]}
        if mode is not None:
            args, keys = torch.utils._pytree.tree_map_only(
                torch.Tensor, mode.from_tensor, (args, keys)
            )
            stack.enter_context(mode)
        try:
            return {"is": "ok", "leaves": leaves(find(call["symbol"])(*args, **keys))}
        except Exception as e:  # noqa: BLE001 - whatever a framework raises is a result
            name = type(e).__name__
            row = {"is": "raised", "type": name, "message": str(e)[:MESSAGE_MAX]}
            if mode is not None and (name in ABSTAINS or "data-dependent" in str(e)):
                row["is"] = "abstains"
            return row


def fake_mode() -> Any:
    from torch._subclasses.fake_tensor import FakeTensorMode

    return FakeTensorMode()


def timed(call: dict[str, Any], mode: Any) -> tuple[dict[str, Any], int]:
    began = time.process_time_ns()
    row = outcome_of(call, mode)
    return row, time.process_time_ns() - began


def child(calls: list[dict[str, Any]], out: int) -> None:
    """Runs calls, writes a line before and a line after each run; never returns."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    for at, call in enumerate(calls):
        for what in ("fake", "real"):
            os.write(out, (json.dumps([at, what]) + "\n").encode())
            torch.manual_seed(0)
            row, ns = timed(call, fake_mode() if what == "fake" else None)
            text = json.dumps([at, what, row, ns]).encode("utf-8", "replace")
            os.write(out, text + b"\n")
    os._exit(0)


def follow(fd: int, pid: int) -> tuple[list[Any], bool]:
    """All lines of the child, and whether it was killed because a call took too long."""
    lines: list[Any] = []
    rest = b""
    while True:
        if not select.select([fd], [], [], SECONDS)[0]:
            os.kill(pid, signal.SIGKILL)
            return lines, True
        part = os.read(fd, 1 << 16)
        if not part:
            return lines, False
        *whole, rest = (rest + part).split(b"\n")
        lines += [json.loads(line) for line in whole]


def run_part(calls: list[dict[str, Any]], results: list[dict[str, Any]], at: int) -> int:
    """Runs calls from `at` on in one child; returns where it stopped."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            child(calls[at:], theirs)
        finally:
            os._exit(70)
    os.close(theirs)
    lines, late = follow(ours, pid)
    os.close(ours)
    os.waitpid(pid, 0)
    last = (-1, "")
    for line in lines:
        row = results[at + line[0]]
        last = (line[0], line[1])
        if len(line) == 4:
            row[line[1]] = line[2]
            row.setdefault("cpu_ns", {})[line[1]] = line[3]
    if last[0] < 0:
        last = (0, "fake")
    row = results[at + last[0]]
    if last[1] not in row:
        row[last[1]] = {"is": "hangs" if late else "died"}
        row.setdefault("real", {"is": "died", "message": "after its fake run"})
    return at + last[0] + 1


def run(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = [{} for _ in calls]
    at = 0
    while at < len(calls):
        at = run_part(calls, results, at)
    return results


def main() -> int:
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    torch.set_num_threads(1)
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with answer:
        if sys.argv[1] == "seeds":
            rows: Any = seeds()
        else:
            with open(sys.argv[2], encoding="utf-8") as file:
                calls = json.load(file)["calls"]
            outcome_of(calls[0], fake_mode())  # imports what fake runs need, before any fork
            rows = run(calls)
        for row in rows:
            answer.write(json.dumps(row) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
