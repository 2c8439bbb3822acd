"""A fork of the program before an optimised call, which waits, then reruns the call in eager and in double.

The program's own process runs only what is written. Statistics, buffers, gradients, optimiser
state, nonlocals and generators of the eager and the double run are the fork's own, so nothing is
cloned and no state of the user's program is changed.
"""

import contextlib
import ctypes
import fcntl
import gc
import json
import os
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from assay_worker import capture, double, errors, judgement
from assay_worker.taken import TENSOR, Item, Taken

PR_SET_PDEATHSIG = 1
RUN_DEADLINE_S = 20.0
COTANGENT_SEED = 20240704


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


def _differentiable(x: Any) -> list[torch.Tensor]:
    walk = capture.Walk()
    walk.add(x, "out", False)
    return [t for _, t in walk.tensors if t.requires_grad and t.grad_fn is not None]


def add_gradients(state: dict[str, Any], result: Any, out: Taken) -> None:
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
            out.items.append(Item(f"grad({path})", TENSOR, kind, shape, data))


def outputs(items: list[Item]) -> list[Item]:
    """The items of the result and of the arguments."""
    return [i for i in items if i.path.startswith(("out", "arg"))]


def rerun(call: Call, mode: Any) -> Taken:
    """Runs the call without its optimiser, in a dispatch mode unless `mode` is None."""
    taken = Taken()
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
                shadow = Taken()
                capture.take(state, result, shadow)
                add_gradients(state, result, shadow)
                taken.items = shadow.items
        if not call.with_gradient:
            capture.take(state, result, taken)
    except Exception as e:  # noqa: BLE001 - what a program raises is a result
        taken.raised = errors.raised(e)
    if call.outputs_only:
        taken.items = outputs(taken.items)
    if isinstance(mode, double.Wide):
        taken.operators, taken.draws, taken.singular = list(mode.operators), mode.draws, mode.singular
    return taken


def in_fork(work: Callable[[], Taken], path: str) -> Taken | None:
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
    taken = Taken.load(path)
    os.unlink(path)
    return taken


class Forked:
    """The runs of a call in forks of its snapshot."""

    def __init__(self, call: Call, folder: str) -> None:
        self.call, self.folder = call, folder
        self.redraws, self.scripted = call.redraws, call.scripted

    def _run(self, name: str, mode: Callable[[], Any]) -> Taken | None:
        return in_fork(lambda: rerun(self.call, mode()), os.path.join(self.folder, name))

    def eager(self) -> Taken | None:
        return self._run("eager", lambda: None)

    def double(self) -> Taken | None:
        return self._run("double", double.Wide)

    def noise(self, seed: int) -> Taken | None:
        return self._run("noise", lambda: double.Noise(seed))

    def accepts_unused(self) -> bool:
        """Runs the graph that Dynamo sees, with eager kernels and without its dead code."""

        def without_dead_code(graph: torch.fx.GraphModule, inputs: Any) -> Any:
            graph.graph.eliminate_dead_code()
            graph.recompile()
            return graph

        def work() -> Taken:
            torch._dynamo.reset()
            torch._dynamo.optimize(without_dead_code)(self.call.original)(*self.call.args, **self.call.kwargs)
            return Taken()

        return in_fork(work, os.path.join(self.folder, "unused")) is not None


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
                written = Taken.load(os.path.join(self.folder, "written"))
                found = judgement.Judgement(Forked(call, self.folder), self.folder).make(written)
                text = json.dumps(found, default=str).encode()
                with open(os.path.join(self.folder, "answer"), "wb") as file:
                    file.write(text)
        finally:
            os._exit(0)

    def finish(self, written: Taken | None) -> dict[str, Any] | None:
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
