"""The fork server: imports the engine once, then forks a child for each batch of cases.

The parent never runs a case. Parent and child use the descriptor in turn: the child reads cases until
its batch is over, while the parent waits and then reports how the child ended.
"""

import ctypes
import dataclasses
import faulthandler
import gc
import os
import random
import resource
import signal
import sys
import time
import traceback
from typing import Any

from assay_worker import adapter as adapters
from assay_worker import frames, leftovers, protocol, tensors

TEXT_MAX = 16 << 10
PR_SET_PDEATHSIG = 1


def n_tasks() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except FileNotFoundError:  # a container that masks /proc
        return 1


def peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def describe_failure(e: BaseException) -> dict[str, Any]:
    """Outcome, message and Python stack of an exception."""
    stack = traceback.extract_tb(e.__traceback__)
    own = os.path.dirname(os.path.abspath(__file__))
    outcome = "exception"
    if isinstance(e, MemoryError):
        outcome = "oom-allocator"
    elif isinstance(e, adapters.Unsupported):
        outcome = "unsupported"
    elif isinstance(e, RecursionError):
        outcome = "stack-overflow"
    in_engine = bool(stack) and not stack[-1].filename.startswith(own)
    lines = [f"{os.path.basename(f.filename)}:{f.lineno} {f.name}" for f in reversed(stack)]
    return {
        "outcome": outcome,
        "type": type(e).__name__,
        "message": str(e)[:TEXT_MAX],
        "module": "framework" if in_engine else "native",
        "stack": "\n".join(lines)[:TEXT_MAX],
    }


def told_capture(c: adapters.Capture) -> dict[str, Any]:
    told = {"symbol": c.symbol, "site": c.site, "call": c.call, "path": c.path}
    return told if c.measures is None else told | {"measures": dataclasses.asdict(c.measures)}


def told_program(result: Any, writer: tensors.Writer) -> dict[str, Any]:
    """The part of a result frame for one run of a program."""
    if isinstance(result, dict):
        return result
    return {
        "outcome": "ok",
        "tensors": writer.describe([c.tensor for c in result.captures]),
        "captures": [told_capture(c) for c in result.captures],
        "reached": "\n".join(result.reached),
        "message": result.note,
    }


class Worker:
    def __init__(self, fd: int, name: str, adapter: Any) -> None:
        self.fd = fd
        self.name = name
        self.adapter = adapter
        self.scratch = ""
        self.results = ""
        self.made: set[str] = set()
        self.results_state = (0, 0, 0)
        self.batch = 0
        self.tasks = 1
        self.is_warm = False

    # One case -----------------------------------------------------------------------------------

    def _path(self, order: dict[str, Any], name: str) -> str:
        return os.path.join(self.scratch, order["folder"], name)

    def _result_path(self, name: str) -> str:
        return os.path.join(self.results, name)

    def _run_once(self, opened: Any, inputs: list[tensors.Tensor], order: dict[str, Any]) -> Any:
        wall, cpu = time.monotonic_ns(), time.process_time_ns()
        try:
            result: Any = self.adapter.run(opened, inputs, order["outputs"])
        except Exception as e:  # noqa: BLE001 - whatever an engine raises is a result
            result = describe_failure(e)
        used = {"wall_ns": time.monotonic_ns() - wall, "cpu_ns": time.process_time_ns() - cpu}
        return result, used

    def _open(self, order: dict[str, Any], mode: adapters.Mode) -> Any:
        if "emitted" not in order:
            return self.adapter.open_model(self._path(order, order["model"]), mode)
        return self.adapter.open_program(
            self._path(order, order["emitted"]),
            order["entry"],
            order["arguments"],
            self._weights(order),
            mode,
        )

    def _run_mode(self, order: dict[str, Any], mode: adapters.Mode, at: int) -> dict[str, Any]:
        writer = tensors.Writer()
        runs: list[dict[str, Any]] = []
        failure = None
        opened = None
        try:
            opened = self._open(order, mode)
        except Exception as e:  # noqa: BLE001
            failure = describe_failure(e)
        for i, rows in enumerate(order["sets"]):
            for repeat in range(order["repeats"]):
                run: dict[str, Any] = {"set": i, "repeat": repeat}
                if failure is None:
                    inputs = tensors.read_set(self._path(order, rows["file"]), rows["tensors"])
                    result, used = self._run_once(opened, inputs, order)
                    run |= used
                else:
                    result = failure
                if isinstance(result, dict):
                    run |= result
                else:
                    n = len(order["outputs"])
                    run |= {"outcome": "ok", "tensors": writer.describe(result[:n])}
                    if mode.options.get("gradients"):
                        run["gradients"] = writer.describe(result[n:])
                runs.append(run)
        name = f"{order['prefix']}out{at}.bin"
        writer.save(self._result_path(name))
        return {"runs": runs, "file": name}

    def _weights(self, order: dict[str, Any]) -> list[tensors.Tensor]:
        weights = order["weights"]
        if not weights["tensors"]:
            return []
        return tensors.read_set(self._path(order, weights["file"]), weights["tensors"])

    def _run_program_once(self, order: dict[str, Any], mode: adapters.Mode) -> Any:
        try:
            return self.adapter.run_program(
                self._path(order, order["program"]), order["entry"], self._weights(order), mode
            )
        except Exception as e:  # noqa: BLE001 - whatever a program raises is a result
            return describe_failure(e)

    def _run_program(self, order: dict[str, Any], mode: adapters.Mode, at: int) -> dict[str, Any]:
        writer = tensors.Writer()
        runs: list[dict[str, Any]] = []
        for i in range(len(order["sets"])):
            for repeat in range(order["repeats"]):
                wall, cpu = time.monotonic_ns(), time.process_time_ns()
                result = self._run_program_once(order, mode)
                run: dict[str, Any] = {
                    "set": i,
                    "repeat": repeat,
                    "wall_ns": time.monotonic_ns() - wall,
                    "cpu_ns": time.process_time_ns() - cpu,
                }
                run |= told_program(result, writer)
                runs.append(run)
        name = f"{order['prefix']}out{at}.bin"
        writer.save(self._result_path(name))
        return {"runs": runs, "file": name}

    def _run_program_modes(self, order: dict[str, Any], frame: frames.Frame) -> None:
        """Runs the program once for all modes."""
        modes = [
            adapters.Mode(m["name"], m["threads"], m.get("options") or {}) for m in order["modes"]
        ]
        job = adapters.ProgramJob(
            self._path(order, order["program"]),
            order.get("path", ""),
            order["entry"],
            order.get("case", ""),
            self._result_path(f"{order['prefix']}own"),
            modes,
        )
        began, cpu = time.monotonic_ns(), time.process_time_ns()
        try:
            results = self.adapter.run_program_modes(job)
        except Exception as e:  # noqa: BLE001
            results = [describe_failure(e)] * len(modes)
        used = {"wall_ns": time.monotonic_ns() - began, "cpu_ns": time.process_time_ns() - cpu}
        for at, result in enumerate(results):
            writer = tensors.Writer()
            one = used | told_program(result, writer)
            runs = [
                {"set": i, "repeat": r} | one
                for i in range(len(order["sets"]))
                for r in range(order["repeats"])
            ]
            name = f"{order['prefix']}out{at}.bin"
            writer.save(self._result_path(name))
            body = {"runs": runs, "file": name, "mode": at, "peak_bytes": peak_bytes()}
            frames.write(self.fd, protocol.RESULT, frame.seq, body)

    def _converted(self, order: dict[str, Any], mode: adapters.Mode) -> bytes:
        if "emitted" in order:
            sets = [tensors.read_set(self._path(order, r["file"]), r["tensors"]) for r in order["sets"]]
            return self.adapter.export(self._open(order, mode), sets, order["outputs"])
        with open(self._path(order, order["model"]), "rb") as file:
            return self.adapter.convert(file.read(), mode)

    def _convert_mode(self, order: dict[str, Any], mode: adapters.Mode, at: int) -> dict[str, Any]:
        try:
            made = self._converted(order, mode)
        except Exception as e:  # noqa: BLE001
            return {"runs": [describe_failure(e)]}
        name = f"{order['prefix']}model{at}.onnx"
        with open(self._result_path(name), "wb") as file:
            file.write(made)
        return {"runs": [], "model": name}

    def _run_case(self, frame: frames.Frame) -> None:
        order = frame.body
        frames.write(self.fd, protocol.STARTED, frame.seq, {"pid": os.getpid()})
        random.seed(order.get("case", ""))
        converts = isinstance(self.adapter, (adapters.Converter, adapters.Exporter))
        if "program" in order and isinstance(self.adapter, adapters.ProgramModesRunner):
            self._run_program_modes(order, frame)
            return
        for at, m in enumerate(order["modes"]):
            alone = bool(order.get("alone"))
            dtypes = tuple(order.get("output_dtypes") or ())
            off = tuple(order.get("disable") or ())
            options = m.get("options") or {}
            mode = adapters.Mode(m["name"], m["threads"], options, alone, dtypes, off)
            if "program" in order:
                body = self._run_program(order, mode, at)
            else:
                body = (self._convert_mode if converts else self._run_mode)(order, mode, at)
            body |= {"mode": at, "peak_bytes": peak_bytes()}
            frames.write(self.fd, protocol.RESULT, frame.seq, body)

    # Processes ----------------------------------------------------------------------------------

    def _child(self, frame: frames.Frame) -> None:
        """Runs cases until the batch is over; never returns."""
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        faulthandler.enable(all_threads=True)
        faulthandler.register(signal.SIGUSR1, all_threads=True)
        n = 0
        try:
            while frame.kind == protocol.RUN:
                self._run_case(frame)
                n += 1
                if frame.body.get("alone") or n == self.batch:
                    break
                frame = frames.read(self.fd)
        except frames.Closed:
            pass
        except BaseException:  # noqa: BLE001 - printed to stderr, then the child exits
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(70)
        os._exit(0)

    def _clear(self) -> None:
        """Ends processes that the child left and removes its files, except results, which may be unread.

        Raises RuntimeError if the folder of results was replaced or has other rights, which ends this
        worker, since results of later cases would be lost.
        """
        leftovers.end_orphans()
        own = os.path.dirname(self.results)
        for name in set(os.listdir(own)) - self.made:
            leftovers.remove(os.path.join(own, name))
        if leftovers.state_of(self.results) != self.results_state:
            raise RuntimeError("a case replaced the folder of results")

    def _clear_results(self, unread: set[str], prefix: str) -> None:
        """After a case that ran alone: removes files it put among the results under foreign names,
        since a pipe under the name of a later case's result would block that case."""
        for name in set(os.listdir(self.results)) - unread:
            if not name.startswith(prefix):
                leftovers.remove(os.path.join(self.results, name))

    def _warm(self, order: dict[str, Any]) -> bool:
        """Before the first program that assay made: prepares the engine. A user's own program runs as without assay.

        True: it was prepared now."""
        if self.is_warm or "program" not in order or order.get("path"):
            return False
        self.is_warm = True
        if not isinstance(self.adapter, adapters.Warmer):
            return False
        self.adapter.warm()
        if n_tasks() > self.tasks:
            raise RuntimeError(f"{n_tasks()} threads after the first program's preparation: it cannot fork")
        gc.collect()
        gc.freeze()
        return True

    def _run_in_child(self, frame: frames.Frame) -> None:
        prepared = self._warm(frame.body)
        sys.stdout.flush()
        sys.stderr.flush()
        alone = frame.body.get("alone")
        unread = set(os.listdir(self.results)) if alone else set()
        pid = os.fork()
        if pid == 0:
            self._child(frame)
        _, status, usage = os.wait4(pid, 0)
        self._clear()
        if alone:
            self._clear_results(unread, frame.body["prefix"])
        frames.write(
            self.fd,
            protocol.EXITED,
            frame.seq,
            {
                "pid": pid,
                "code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
                "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
                "cpu_ns": int((usage.ru_utime + usage.ru_stime) * 1e9),
                "peak_bytes": usage.ru_maxrss * 1024,
                "prepared": prepared,
            },
        )

    def _greet(self, version: str) -> None:
        body = {
            "protocol": protocol.PROTOCOL,
            "name": self.name,
            "version": version,
            "pid": os.getpid(),
            "tasks": n_tasks(),
            "capabilities": ["fork", "stacks"]
            + ["program"]
            * isinstance(self.adapter, (adapters.ProgramRunner, adapters.ProgramModesRunner)),
        }
        frames.write(self.fd, protocol.HELLO, 0, body)
        frame = frames.read(self.fd)
        if frame.kind != protocol.WELCOME or frame.body.get("protocol") != protocol.PROTOCOL:
            raise frames.Broken(f"welcome in protocol {protocol.PROTOCOL} is expected")
        self.scratch = frame.body["scratch"]
        self.results = frame.body["results"]
        self.batch = frame.body["batch"]
        self.tasks = frame.body.get("tasks", 1)

    def serve(self) -> None:
        version = self.adapter.load()
        self._greet(version)
        if self.batch and n_tasks() > self.tasks:
            raise RuntimeError(f"{n_tasks()} threads after import: it cannot fork")
        leftovers.adopt_orphans()
        self.made = set(os.listdir(os.path.dirname(self.results)))
        self.results_state = leftovers.state_of(self.results)
        gc.collect()
        gc.freeze()
        if not self.batch:
            faulthandler.enable(all_threads=True)
            faulthandler.register(signal.SIGUSR1, all_threads=True)
        while True:
            frame = frames.read(self.fd)
            if frame.kind == protocol.RUN:
                (self._run_in_child if self.batch else self._run_case)(frame)
            elif not (frame.kind == protocol.BYE and frame.body.get("child")):
                return


def main(name: str, fd: int, adapter: Any) -> int:
    worker = Worker(fd, name, adapter)
    try:
        worker.serve()
    except frames.Closed:
        return 0
    except BaseException as e:  # noqa: BLE001
        body = {"type": type(e).__name__, "message": f"{type(e).__name__}: {e}"[:TEXT_MAX]}
        frames.write(fd, protocol.ERROR, 0, body)
        traceback.print_exc()
        return 70
    return 0
