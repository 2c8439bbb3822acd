"""Programs as cases: runs one once as written, compares it call by call, and reports it as the modes of a program.

The mode "written" is the program unchanged, "eager" the same calls without their optimisers,
"double" the eager calls in float64. An adapter implements `run_program_modes` by calling `run` below
with what puts itself between its framework and the program.
"""

import os
import shutil
import struct
import sys
import traceback
import types
from typing import Any

from assay_worker import errors, frames_of, measure
from assay_worker.adapter import Capture, Measures, ProgramJob, ProgramResult
from assay_worker.function import NUMBERS
from assay_worker.sites import Checked, Compared, Limits, Sites
from assay_worker.taken import TENSOR, VALUE, Item, Taken
from assay_worker.tensors import Tensor

WRITTEN, EAGER, DOUBLE = "written", "eager", "double"
CAPTURES_MAX = 400
ELEMENTS_MAX = 4096
# Why values of a call are not judged, by what its comparison tells.
NOT_JUDGED = {"no_double": "no float64 run", "redrawn": "other random numbers", "singular": "a singular matrix"}


class Left(BaseException):
    """The program called os._exit; what was compared so far is still reported."""


def _leave_later() -> None:
    real, pid = os._exit, os.getpid()

    def leave(code: int) -> None:
        if os.getpid() != pid:
            real(code)
        raise Left

    os._exit = leave  # type: ignore[assignment]


def _execute(job: ProgramJob) -> BaseException | None:
    """Runs the program as __main__; returns its exception, or None."""
    path = job.own_path or job.path
    with open(job.path, encoding="utf-8", errors="surrogateescape") as file:
        source = file.read()
    module = types.ModuleType("__main__")
    module.__file__ = path
    module.__dict__["__builtins__"] = __builtins__
    before = sys.modules["__main__"], sys.argv, list(sys.path)
    sys.modules["__main__"] = module
    sys.argv = [path]
    more = os.environ.get("PYTHONPATH", "").split(os.pathsep) if job.own_path else []
    sys.path[:0] = [os.path.dirname(os.path.abspath(path)), *(p for p in more if p)]
    try:
        exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102 - that is the case
        if job.entry:
            module.__dict__[job.entry]()
    except (SystemExit, Left):
        return None
    except Exception as e:  # noqa: BLE001 - what a program raises is a result
        return e
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        sys.modules["__main__"], sys.argv = before[0], before[1]
        sys.path[:] = before[2]
    return None


def _failure(e: BaseException, path: str) -> dict[str, Any]:
    stack = traceback.extract_tb(e.__traceback__)
    lines = [f"{os.path.basename(f.filename)}:{f.lineno} {f.name}" for f in reversed(stack)]
    return {
        "outcome": "oom-allocator" if isinstance(e, MemoryError) else "exception",
        "type": type(e).__name__,
        "message": str(e)[:16384],
        "module": frames_of.raised_by(e, path),
        "stack": "\n".join(lines)[:16384],
    }


def _told(r: dict[str, Any], place: str) -> dict[str, Any]:
    return {
        "outcome": "exception",
        "type": r["type"],
        "message": r["message"],
        "module": "framework",
        "stack": place,
    }


def _tensor(name: str, i: Item, at: int) -> Tensor | None:
    """The item as it is sent: all of it, or the elements around the worst one."""
    if i.kind == VALUE:
        if isinstance(i.value, bool) or not isinstance(i.value, (int, float)):
            return None
        i = Item(i.path, TENSOR, "float64", (), struct.pack("<d", float(i.value)))
    if i.data is None or i.dtype not in NUMBERS:
        return None
    n = 1
    for d in i.shape:
        n *= d
    if n <= ELEMENTS_MAX:
        return Tensor(name, NUMBERS[i.dtype], list(i.shape), i.data)
    size = len(i.data) // n
    first = max(0, min(at - ELEMENTS_MAX // 2, n - ELEMENTS_MAX))
    return Tensor(
        name, NUMBERS[i.dtype], [ELEMENTS_MAX], i.data[first * size : (first + ELEMENTS_MAX) * size]
    )


class Results:
    """The three observations of one run, collected call by call."""

    def __init__(self) -> None:
        self.captures: dict[str, list[Capture]] = {WRITTEN: [], EAGER: [], DOUBLE: []}
        self.raised: dict[str, dict[str, Any] | None] = {WRITTEN: None, EAGER: None}
        self.reached: dict[str, None] = {}
        self.n_items = 0
        self.n_raised = 0  # calls that raise, with and without their optimiser
        self.lost: dict[str, int] = {}

    def _lose(self, what: str) -> None:
        self.lost[what] = self.lost.get(what, 0) + 1

    def _outcomes(self, c: Compared, found: dict[str, Any]) -> bool:
        """Did the call raise on either side? Keeps the first pair of errors that differ."""
        written, eager = found.get("written"), found.get("eager")
        if not written and not eager:
            return False
        if found.get("unused"):
            self._lose("an error in what nothing uses")
            return True
        place = f"{c.site.symbol}#{c.site.number}.{c.call} {c.site.place}"
        differs = not (written and eager) or not found.get("related")
        self.n_raised += 1
        if differs and not (self.raised[WRITTEN] or self.raised[EAGER]):
            self.raised[WRITTEN] = _told(written, place) if written else None
            self.raised[EAGER] = _told(eager, place) if eager else None
            self.reached = {c.site.symbol: None}
        return True

    def add(self, c: Compared) -> None:
        found = c.found
        symbol = c.site.symbol
        self.reached.setdefault(symbol)
        if found is None or "lost" in found:
            self._lose("no answer")
            return
        if self._outcomes(c, found):
            return
        for key, text in NOT_JUDGED.items():
            if found.get(key):
                self._lose(text)
        for name in found.get("operators", [])[:64]:
            self.reached.setdefault(name)
        kept = {}
        for mode in (WRITTEN, EAGER, DOUBLE):
            taken = Taken.load(os.path.join(c.folder, f"kept-{mode}"))
            kept[mode] = {i.path: i for i in taken.items}
        for row in found["measures"]:
            m = measure.Measure(**row)
            self.n_items += 1
            bad = bool(m.differs) and m.may()
            if not bad and len(self.captures[WRITTEN]) >= CAPTURES_MAX:
                continue
            self._capture(c, m, kept)

    def add_checked(self, c: Checked) -> None:
        self.reached.setdefault(c.site.symbol)
        for m in c.measures:
            self.n_items += 1
            self._capture(c, m, {WRITTEN: {}, EAGER: {}, DOUBLE: {}})

    def _capture(
        self, c: Compared | Checked, m: measure.Measure, kept: dict[str, Any]
    ) -> None:
        name = f"{c.site.symbol}#{c.site.number}.{c.call}/{m.path}"
        for mode, items in kept.items():
            t = _tensor(name, items[m.path], m.at) if m.path in items else None
            if t is None:
                t = Tensor(name, NUMBERS["uint8"], [0], b"")
            told = Measures(
                m.differs,
                m.error,
                m.base_error,
                m.noise,
                m.n_noise,
                m.excess,
                m.unit,
                f"{m.text} (optimised at {c.site.place})",
            )
            self.captures[mode].append(
                Capture(
                    c.site.symbol,
                    c.site.number,
                    c.call,
                    m.path,
                    t,
                    None if mode == DOUBLE else told,
                )
            )


def _of_mode(mode: str, r: Results, note: str) -> ProgramResult | dict[str, Any]:
    raised, rejected = r.raised.get(mode), r.raised[EAGER]
    if mode == WRITTEN and rejected and not raised:
        note = f"accepts what eager rejects: {rejected['type']}: {rejected['message']}"
    if raised:
        return raised | {"reached": "\n".join(r.reached)}
    if mode == DOUBLE and not r.captures[DOUBLE]:
        return {"outcome": "not-target", "type": "", "message": "nothing was computed in float64"}
    return ProgramResult(r.captures[mode], list(r.reached), note)


def run(job: ProgramJob, interposer: type[Sites]) -> list[ProgramResult | dict[str, Any]]:
    """One result for each mode of the job, in order.

    Without the mode "written" (it died earlier) the program runs with eager calls only. interposer:
    what puts itself between the framework and the program.
    """
    folder = os.path.join(job.folder, "snapshots")
    names = [m.name for m in job.modes]
    options = job.modes[0].options
    limits = Limits(
        float(options.get("seconds", 60)),
        int(options.get("calls", 100)),
        int(options.get("stop_after", 0)),
    )
    between = interposer(job.own_path or job.path, folder, limits, WRITTEN not in names)
    between.install()
    pid, leave = os.getpid(), os._exit
    _leave_later()
    own = _execute(job)
    os._exit = leave
    if os.getpid() != pid:  # a process that the program forked returned here
        os._exit(0)
    results = Results()
    for c in between.compared:
        results.add(c)
    for one in between.checked:
        results.add_checked(one)
    shutil.rmtree(folder, ignore_errors=True)
    if own is not None and not between.n_reached:
        met = "\n".join(dict.fromkeys(s.symbol for s in between.sites.values()))
        return [_failure(own, job.own_path or job.path) | {"reached": met}] * len(names)
    if own is not None and between.n_reached and errors.BROKEN in str(own) and not results.raised[WRITTEN]:
        # A conversion that breaks an invariant of the framework for any argument.
        results.raised[WRITTEN] = _told(errors.raised(own), "at the program's end")
        results.n_raised += 1
    note = _note(between, results, own)
    if not between.n_reached or not (results.n_items or results.n_raised):
        return [{"outcome": "not-target", "type": "", "message": note}] * len(names)
    return [_of_mode(n, results, note) for n in names]


def _note(between: Sites, r: Results, own: BaseException | None) -> str:
    if not between.n_reached:
        text = "no optimised call was made"
    else:
        text = f"{len(between.compared) + len(between.checked)} of {between.n_reached} optimised calls compared, {r.n_items} values"
    for name, n in {**between.notes, **r.lost}.items():
        text += f"; {name}: {n}"
    if own is not None:
        text += f"; the program then raised {type(own).__name__}: {str(own)[:200]}"
    return text
