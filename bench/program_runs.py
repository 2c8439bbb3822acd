"""Runs programs for the benches, each in a fork of this process with the worker's own code, and says what they showed."""

import contextlib
import json
import os
import select
import shutil
import signal
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "py"))
DEADLINE_S = 120


def warm() -> None:
    """Prepares this process, before the forks, as a worker of a hunt is prepared."""
    from assay_worker import program_torch

    program_torch.warm()


def _mark_of(symbol: str, backend: str) -> bytes:
    if symbol != "torch.compile":
        return b"x"
    return b"i" if backend == "inductor" else b"a" if backend.startswith("aot_") else b"c"


def _work(path: str, w: int, mark: int, said: int, names: tuple[str, ...]) -> None:
    """The child: runs the program interposed, with its output in `said`; never returns."""
    from assay_worker import interpose, program_torch
    from assay_worker.adapter import Mode, ProgramJob

    os.setpgid(0, 0)
    real = interpose.Interposer.site

    def site(*args: object) -> object:
        with contextlib.suppress(BlockingIOError):
            os.write(mark, _mark_of(*args[1:3], *[""] * (3 - len(args))))
        return real(*args)

    interpose.Interposer.site = site  # what dies cannot tell it afterwards
    null = os.open(os.devnull, os.O_RDWR)
    for fd, target in ((0, null), (1, said), (2, null)):
        os.dup2(target, fd)
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    modes = [Mode(n, 1, {}) for n in names]
    results = program_torch.run(ProgramJob(path, "", "", "00000001", folder, modes), 1)
    told = [x if isinstance(x, dict) else {"outcome": "ok", "reached": "\n".join(x.reached), "message": x.note,
            "failing": [f"{c.symbol}#{c.site}.{c.call}/{c.path}: {c.measures.text}" for c in x.captures if fails(c.measures)][:8]}
            for x in results]
    shutil.rmtree(folder, ignore_errors=True)
    os.write(w, json.dumps(told).encode()[:60000])
    os._exit(0)


def run_one(path: str, output: str = os.devnull, names: tuple[str, ...] = ("written", "eager", "double")) -> dict[str, object]:
    """What a fork makes of the program: outcome of its modes, what was reached, CPU time; its output goes to `output`.

    The marks: one letter for each optimiser that was entered, i inductor, a another compiler of AOTAutograd, c another of
    torch.compile, x any other optimiser.
    """
    r, w = os.pipe()
    entered, mark = os.pipe()
    os.set_blocking(mark, False)
    said = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    pid = os.fork()
    if pid == 0:
        _work(path, w, mark, said, names)
    for fd in (w, mark, said):
        os.close(fd)
    ready, _, _ = select.select([r], [], [], DEADLINE_S)
    text = b""
    while ready and (part := os.read(r, 65536)):
        text += part
    if not ready:
        os.killpg(pid, signal.SIGKILL)
    os.close(r)
    _, status, usage = os.wait4(pid, 0)
    marks = os.read(entered, 4096)
    os.close(entered)
    try:
        modes = json.loads(text)
    except ValueError:
        modes = []
    return {"modes": modes, "status": status, "cpu": usage.ru_utime + usage.ru_stime, "hangs": not ready, "marks": marks.decode()}


def fails(m: object) -> bool:
    """The oracle's first three conditions, as the worker counts them."""
    from assay_worker.measure import FACTOR, NOISE_CAP

    if m is None or not m.differs:
        return False
    base = max(m.base_error, min(m.noise, NOISE_CAP), 4 * m.unit)
    return m.differs != "value" or (m.error > FACTOR * base and m.excess > 1 and m.base_error <= 0.1)


def outcome(found: dict[str, object]) -> str:
    """What the three modes of a program show together."""
    modes = found["modes"]
    if found["hangs"]:
        return "hang"
    if not modes:
        return f"signal {found['status'] & 127}"
    written, eager = modes[0], modes[1]
    if written["outcome"] == "ok" and eager["outcome"] == "exception":
        return "accepts what eager rejects"
    if written["outcome"] != "ok" and eager["outcome"] == "ok":
        return "rejects what eager accepts"
    if written.get("failing"):
        return "another value"
    return "agrees" if written["outcome"] == "ok" else "no value"
