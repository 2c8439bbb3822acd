"""Calls of a framework as data, and their outcomes, real and abstract.

python -I -B .../foretold.py run FRAMEWORK ORDER     ORDER: {"calls": [call, ...], "abstract_only": bool}; one line per call, in order

A call is {"symbol", "op", "args", "keys"}, and for a class "make": so many positional arguments and all named ones are
those of its constructor, the other ones those of the object's call; with "step" true an optimiser is made of a parameter and the
named arguments and makes one step. An argument is a JSON value or one of

    {"tensor": {"dtype", "shape", "values"}}   row-major; complex values as [real, imaginary]
    {"tuple": [...]}, {"float": "nan" | "inf" | "-inf"}, {"complex": [a, b]}, {"dtype": "float32"}

`run` prints {"real": outcome, ABSTRACT: outcome, "cpu_ns": {"real": ns, ABSTRACT: ns}} for each, without "real" where only abstract
runs are ordered. ABSTRACT is "fake" where shapes
and types are computed without the framework's own run of the call (torch's FakeTensorMode), "traced" where the framework's
own checks run (jax.eval_shape, Keras's symbolic calls, a graph of tf.function), and "model" for ONNX: {"bytes"}, the model in
hexadecimal, which the reader infers. An outcome is {"is": "ok", "leaves": [[dtype, shape], ...]}, {"is": "raised", "type",
"message"}, {"is": "died" | "hangs" | "flaky"}, or {"is": "abstains", "message"}: it depends on values, or cannot be made or run here. An abstract outcome may have "kernels":
[[name, type of a tensor given, ...], ...], what the run called, and "marks": [word, ...], what is odd about these (torch_declared.py).
Calls run in forked children, so that none affects another. The real run is made twice: a call is flaky whose second run has another
outcome, exception, type or shape.
"""

from __future__ import annotations

import ctypes
import json
import logging
import os
import select
import signal
import sys
import time
import warnings
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from assay_worker import foretold_frameworks  # noqa: E402

PR_SET_PDEATHSIG = 1
MESSAGE_MAX = 300
COMPARED = ("is", "type", "leaves")  # of an outcome, with that of a second run


class Runner:
    """Runs calls of one framework in forked children."""

    def __init__(self, framework: foretold_frameworks.Framework) -> None:
        self.framework = framework
        self.order = (framework.abstract_name, "real") if framework.abstract_name else ("real",)

    def outcome(self, call: dict[str, Any], what: str) -> dict[str, Any]:
        f = self.framework
        try:
            args = [f.made(v) for v in call["args"]]
            keys = {k: f.made(v) for k, v in call["keys"].items()}
        except Exception as e:  # noqa: BLE001 - values that do not fit the type
            return {"is": "abstains", "message": f"cannot be made: {e}"[:MESSAGE_MAX]}
        try:
            run = f.real if what == "real" else f.abstract
            return {"is": "ok", "leaves": f.leaves(run(f.function(call), args, keys))}
        except foretold_frameworks.Abstains as e:
            return {"is": "abstains", "message": str(e)[:MESSAGE_MAX]}
        except foretold_frameworks.Model as e:
            return {"is": "model", "bytes": e.data.hex()}
        except Exception as e:  # noqa: BLE001 - whatever a framework raises is a result
            row = {"is": "raised", "type": type(e).__name__, "message": str(e)[:MESSAGE_MAX]}
            if f.abstains(e, what != "real"):
                row["is"] = "abstains"
            return row

    def again(self, call: dict[str, Any], first: dict[str, Any]) -> dict[str, Any]:
        """The outcome, after a second run."""
        self.framework.seed()
        second = self.outcome(call, "real")
        if all(first.get(key) == second.get(key) for key in COMPARED):
            return first
        told = [{key: row[key] for key in COMPARED if key in row} for row in (first, second)]
        return {"is": "flaky", "message": f"{told[0]}, then {told[1]}"[:MESSAGE_MAX]}

    def child(self, calls: list[dict[str, Any]], out: int) -> None:
        """Runs calls, writes a line before and a line after each run; never returns."""
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        for at, call in enumerate(calls):
            for what in self.order:
                os.write(out, (json.dumps([at, what]) + "\n").encode())
                self.framework.seed()
                began = time.process_time_ns()
                self.framework.kernels.clear()
                self.framework.marks.clear()
                row = self.outcome(call, what)
                ns = time.process_time_ns() - began
                if what == "real":
                    row = self.again(call, row)
                if self.framework.kernels:
                    row["kernels"] = self.framework.kernels
                if self.framework.marks:
                    row["marks"] = sorted(self.framework.marks)
                text = json.dumps([at, what, row, ns]).encode("utf-8", "replace")
                os.write(out, text + b"\n")
        os._exit(0)

    def follow(self, fd: int, pid: int) -> tuple[list[Any], bool]:
        """All lines of the child, and whether it was killed because a call took too long."""
        lines: list[Any] = []
        rest = b""
        while True:
            if not select.select([fd], [], [], self.framework.seconds)[0]:
                os.kill(pid, signal.SIGKILL)
                return lines, True
            part = os.read(fd, 1 << 16)
            if not part:
                return lines, False
            *whole, rest = (rest + part).split(b"\n")
            lines += [json.loads(line) for line in whole]

    def run_part(
        self, calls: list[dict[str, Any]], results: list[dict[str, Any]], at: int
    ) -> int:
        """Runs calls from `at` on in one child; returns where it stopped."""
        ours, theirs = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                self.child(calls[at : at + self.framework.calls_of_child], theirs)
            finally:
                os._exit(70)
        os.close(theirs)
        lines, late = self.follow(ours, pid)
        os.close(ours)
        os.waitpid(pid, 0)
        last = (0, self.order[0])
        for line in lines:
            row = results[at + line[0]]
            last = (line[0], line[1])
            if len(line) == 4:
                row[line[1]] = line[2]
                row.setdefault("cpu_ns", {})[line[1]] = line[3]
        row = results[at + last[0]]
        if last[1] not in row:
            row[last[1]] = {"is": "hangs" if late else "died"}
            row.setdefault("real", {"is": "died", "message": "after its abstract run"})
        return at + last[0] + 1

    def run(self, calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
        results: list[dict[str, Any]] = [{} for _ in calls]
        at = 0
        while at < len(calls):
            at = self.run_part(calls, results, at)
        return results


def main() -> int:
    if len(sys.argv) != 4 or sys.argv[1] != "run" or sys.argv[2] not in foretold_frameworks.OPENED:
        print(f"foretold.py: run FRAMEWORK ORDER is expected, got {sys.argv[1:]}", file=sys.stderr)
        return 64
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with answer:
        with open(sys.argv[3], encoding="utf-8") as file:
            order = json.load(file)
        runner = Runner(foretold_frameworks.OPENED[sys.argv[2]]())
        if order.get("abstract_only"):
            runner.order = (runner.framework.abstract_name,)
        for row in runner.run(order["calls"]):
            answer.write(json.dumps(row) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
