"""A fork of the program before an optimised call, which waits, then reruns the call in eager and in double.

The program's own process runs only what is written. Statistics, buffers, gradients, optimiser
state, nonlocals and generators of the eager and the double run are the fork's own, so nothing is
cloned and no state of the user's program is changed.
"""

import contextlib
import ctypes
import fcntl
import gc
import itertools
import json
import os
import re
import select
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import torch

from assay_worker import capture, double, measure

PR_SET_PDEATHSIG = 1
N_NOISE_FIRST, N_NOISE = 3, 8
RUN_DEADLINE_S = 20.0
COTANGENT_SEED = 20240704
# TorchScript's interpreter reports every error of the code that it runs as its own.
INTERPRETED = "operation failed in the TorchScript interpreter"
# By one of these an operator refuses its arguments, its meta function often by another of them.
REFUSALS = frozenset({"IndexError", "NotImplementedError", "RuntimeError", "TypeError", "ValueError"})
BROKEN = "INTERNAL ASSERT FAILED"
QUOTED = "\nfrom user code:\n"  # Dynamo's, in front of the program's lines
SUMMARY = "\n## Exception summary\n"  # the ONNX exporter's, in front of the causes, the first one first
NO_CPP = "C++ compile error"  # inductor's; the compiler's command and all it says follow


@dataclass
class Call:
    """One optimised call: its callable without the optimiser, and its arguments."""

    original: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    with_gradient: bool = False
    seed: int | None = None  # for the generators, if the two sides start in different states
    outputs_only: bool = False  # the optimised object has a state of its own
    redraws: bool = False  # the optimiser may draw other random numbers
    scripted: bool = False  # TorchScript and fx: a sequence of tensors is a list or a plain tuple there


def hush() -> None:
    """Makes the process print nothing, write to no inherited descriptor, and die with its parent."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    gc.disable()
    null = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/proc/self/fd"):
        fd = int(name)
        with contextlib.suppress(OSError):
            if fd != null and fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY:
                os.dup2(null, fd)
    for s in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
        signal.signal(s, signal.SIG_DFL)


def modules_of(e: BaseException) -> list[str]:
    """Names of the classes of an exception and of its causes."""
    names: dict[str, None] = {}
    seen: BaseException | None = e
    for _ in range(8):
        if seen is None:
            break
        names |= {c.__name__: None for c in type(seen).__mro__[:-2]}
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)
    return list(names)


def essence(message: str) -> str:
    """A message of Dynamo or TorchScript without the program's own lines, which they quote, of
    inductor's compiler without its command, of the ONNX exporter its first cause: else a bug has
    another message in each program that shows it, or every bug has the same."""
    message = message.partition(QUOTED)[0].rstrip()
    if SUMMARY in message:
        cause = message.partition(SUMMARY)[2].strip().partition("\n\u2b06")[0]
        message = re.sub(r"^<class '(?:[^']*\.)?(\w+)'>", r"\1", cause).partition("\n\n")[0]
    lines = [line for line in message.splitlines() if line.strip()]
    if NO_CPP in message:
        errors = (line.partition(" error: ")[2] for line in lines)
        return f"{NO_CPP}: {next(filter(None, errors), message)}"
    if not any("<--- HERE" in line for line in lines):
        return message
    if re.match(r"[\w.]*(Error|Exception): ", lines[-1]):
        return lines[-1]
    return "\n".join(itertools.takewhile(lambda line: not line.startswith("  File "), lines))


def raised(e: BaseException, program: str = "") -> dict[str, Any]:
    """Describes an exception, and whose frame raised it."""
    stack = traceback.extract_tb(e.__traceback__)
    by = stack[-1].filename if stack else ""
    return {
        "by_tracer": by == program or f"{os.sep}_dynamo{os.sep}" in by,
        "type": type(e).__name__,
        "module": type(e).__module__,
        "message": essence(str(e))[:4096],
        "interpreted": INTERPRETED in str(e),
        "family": modules_of(e),
    }


def _differentiable(x: Any) -> list[torch.Tensor]:
    walk = capture.Walk()
    walk.add(x, "out", False)
    return [t for _, t in walk.tensors if t.requires_grad and t.grad_fn is not None]


def add_gradients(state: dict[str, Any], result: Any, out: capture.Taken) -> None:
    """Adds the gradients of the results, with a fixed random cotangent, for every reachable leaf."""
    outputs = _differentiable(result)
    leaves = {p: t for p, t in capture.walk_state(state).tensors if t.requires_grad and t.is_leaf}
    if not outputs or not leaves:
        return
    generator = torch.Generator().manual_seed(COTANGENT_SEED)
    cotangents = [
        torch.randn(t.shape, generator=generator, dtype=torch.float32).to(t.dtype) for t in outputs
    ]
    try:
        found = torch.autograd.grad(outputs, list(leaves.values()), cotangents, allow_unused=True)
    except RuntimeError:  # a step that went backward itself has freed its graph
        return
    for path, g in zip(leaves, found, strict=True):
        if g is not None:
            kind, shape, data = capture.raw(g)
            out.items.append(capture.Item(f"grad({path})", capture.TENSOR, kind, shape, data))


def outputs(items: list[capture.Item]) -> list[capture.Item]:
    """The items of the result and of the arguments."""
    return [i for i in items if i.path.startswith(("out", "arg"))]


def rerun(call: Call, mode: Any) -> capture.Taken:
    """Runs the call without its optimiser, in a dispatch mode unless `mode` is None."""
    taken = capture.Taken()
    state = capture.roots(call.original, call.args, call.kwargs)
    torch.set_num_threads(1)
    if call.seed is not None:
        torch.manual_seed(call.seed)
    torch.compiler.set_stance("force_eager")
    if isinstance(mode, double.Wide):
        tensors = [t for _, t in capture.walk_state(state).tensors]
        if isinstance(call.original, torch.jit.ScriptModule):  # its own tensors are not compared
            tensors += [*call.original.parameters(), *call.original.buffers()]
        double.widen_in_place(tensors)
    try:
        with mode or contextlib.nullcontext():
            result = call.original(*call.args, **call.kwargs)
            if call.with_gradient:
                shadow = capture.Taken()
                capture.take(state, result, shadow)
                add_gradients(state, result, shadow)
                taken.items = shadow.items
        if not call.with_gradient:
            capture.take(state, result, taken)
    except Exception as e:  # noqa: BLE001 - what a program raises is a result
        taken.raised = raised(e)
    if call.outputs_only:
        taken.items = outputs(taken.items)
    if isinstance(mode, double.Wide):
        taken.operators, taken.draws = list(mode.operators), mode.draws
    return taken


def in_fork(work: Callable[[], capture.Taken], path: str) -> capture.Taken | None:
    """Runs `work` in a forked child and returns its result; None: it died or took too long."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            hush()
            work().save(path)
            code = 0
        finally:
            os._exit(code)
    fd = os.pidfd_open(pid)
    ready, _, _ = select.select([fd], [], [], RUN_DEADLINE_S)
    if not ready:
        os.kill(pid, signal.SIGKILL)
    os.close(fd)
    _, status = os.waitpid(pid, 0)
    if status != 0:
        return None
    taken = capture.Taken.load(path)
    os.unlink(path)
    return taken


def related(written: dict[str, Any], eager: dict[str, Any]) -> bool:
    """Are they the same error: a subclass, a wrapper, or the compiler's own report of it?

    A tracer meets errors in the program's own code before it computes anything.
    """
    if written["module"].startswith("torch._dynamo") or written["by_tracer"]:
        return True
    if written["interpreted"]:
        return True
    if REFUSALS & set(written["family"]) and REFUSALS & set(eager["family"]):
        return BROKEN not in written["message"] or BROKEN in eager["message"]
    return written["type"] in eager["family"] or eager["type"] in written["family"]


class Judgement:
    """Compares the runs of one call, in its snapshot."""

    def __init__(self, call: Call, folder: str) -> None:
        self.call, self.folder = call, folder

    def _run(self, name: str, mode: Callable[[], Any]) -> capture.Taken | None:
        return in_fork(lambda: rerun(self.call, mode()), os.path.join(self.folder, name))

    def _noise(
        self,
        found: list[measure.Measure],
        eager: capture.Taken,
        wide: capture.Taken,
        first: int,
        last: int,
    ) -> None:
        for seed in range(first, last):
            run = self._run("noise", lambda s=seed: double.Noise(s))
            if run and run.raised is None:
                measure.add_noise(found, eager, wide, run)

    def values(
        self, written: capture.Taken, eager: capture.Taken, wide: capture.Taken | None
    ) -> list[measure.Measure]:
        found = measure.compare(written, eager, wide, self.call.scripted)
        if self.call.redraws and wide and wide.draws:
            for m in found:
                m.differs = "" if m.differs in ("value", "exact") else m.differs
        if wide is None or not any(m.differs and m.may() for m in found):
            return found
        again = self._run("again", lambda: None)
        if again and again.raised is None:
            steady = {i.path: i for i in eager.items}
            same = {i.path for i in again.items if steady.get(i.path) == i}
            for m in found:  # items that a second eager run does not repeat do not count
                if m.path not in same and m.path in steady:
                    m.differs = ""
        self._noise(found, eager, wide, 0, N_NOISE_FIRST)
        if any(m.differs and m.may() for m in found):
            self._noise(found, eager, wide, N_NOISE_FIRST, N_NOISE)
        return found

    def make(self, written: capture.Taken) -> dict[str, Any]:
        eager = self._run("eager", lambda: None)
        if eager is None:
            return {"lost": "eager"}
        answer: dict[str, Any] = {"written": written.raised, "eager": eager.raised}
        if written.raised or eager.raised:
            if written.raised and eager.raised:
                answer["related"] = related(written.raised, eager.raised)
            return answer
        wide = self._run("double", double.Wide)
        answer["no_double"] = (
            None if wide and not wide.raised else (wide.raised if wide else "lost")
        )
        answer["operators"] = wide.operators if wide else []
        answer["redrawn"] = bool(self.call.redraws and wide and wide.draws)
        found = self.values(written, eager, wide)
        answer["measures"] = [asdict(m) for m in found]
        self._keep(found, written, eager, wide)
        return answer

    def _keep(self, found: list[measure.Measure], *runs: capture.Taken | None) -> None:
        """Saves the items that differ, from all three runs, to be shown."""
        wanted = {m.path for m in found if m.differs and m.may()} or {m.path for m in found[:4]}
        for name, run in zip(("written", "eager", "double"), runs, strict=True):
            kept = capture.Taken([i for i in run.items if i.path in wanted] if run else [])
            kept.save(os.path.join(self.folder, f"kept-{name}"))


class Snapshot:
    """The program's side: `finish` sends the fork the written results and returns its findings."""

    def __init__(self, call: Call, folder: str) -> None:
        os.makedirs(folder, exist_ok=True)
        self.folder, self.began = folder, time.monotonic()
        order, self.order = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            self._wait(call, order)
        os.close(order)

    def _wait(self, call: Call, order: int) -> None:
        """In the fork; never returns."""
        try:
            os.close(self.order)
            hush()
            if os.read(order, 1) == b"g":
                torch.set_num_threads(1)
                written = capture.Taken.load(os.path.join(self.folder, "written"))
                found = Judgement(call, self.folder).make(written)
                text = json.dumps(found, default=str).encode()
                with open(os.path.join(self.folder, "answer"), "wb") as file:
                    file.write(text)
        finally:
            os._exit(0)

    def finish(self, written: capture.Taken | None) -> dict[str, Any] | None:
        """None: cancelled, or no answer came in time."""
        if written is not None:
            written.save(os.path.join(self.folder, "written"))
            with contextlib.suppress(OSError):
                os.write(self.order, b"g")
        os.close(self.order)
        fd = os.pidfd_open(self.pid)
        ready, _, _ = select.select([fd], [], [], 12 * RUN_DEADLINE_S)
        if not ready:
            os.kill(self.pid, signal.SIGKILL)
        os.close(fd)
        os.waitpid(self.pid, 0)
        try:
            with open(os.path.join(self.folder, "answer"), "rb") as file:
                found: dict[str, Any] = json.load(file)
                return found
        except OSError:
            return None
