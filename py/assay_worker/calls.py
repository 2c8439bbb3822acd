"""python -I -B .../calls.py FRAMEWORK FOLDER OUT: runs a list of calls of one framework.

FOLDER holds pool.json, rows {"dtype", "dims", "at", "n"} of the tensors in pool.bin, and calls.jsonl,
the calls to run, one per line:

    key     name of the call in the results
    symbol  "torch.nn.functional.pad"; a class is constructed with `make` and `make_keys`, then called
    args    positional arguments; keys: arguments by name
    weights of a class: [[number, permutation or null], ...], the number of the seeded values for its
            n-th weight; without it weight n gets values n
    step    the class is an optimiser: args are a parameter and its gradient, three steps are made

An argument is a JSON value, or {"t": row of the pool, "perm": [...]}, {"dtype": name}, {"tuple":
[...]}, {"float": "nan"}, {"complex": [re, im]} or {"slice": [a, b, c]}.

OUT gets values.bin, raw little-endian, and results.jsonl, a line for each call: {"key", "outcome"}
with outcome ok, raised, died, hangs, or no-symbol. ok: "form" is the tree of the returned value, "t" for a
tensor, "n" for a number, and "leaves" gives dtype, dims, at and n of each in values.bin; a leaf of
more than LEAF_MAX bytes has only a hash. raised: type and message.

Calls run in forked children: a crash or hang of a child costs one call.
"""

import ctypes
import fcntl
import gc
import hashlib
import importlib
import json
import os
import re
import select
import signal
import struct
import sys
import time
import warnings
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import numpy as np  # noqa: E402

from assay_worker import frameworks  # noqa: E402

PR_SET_PDEATHSIG = 1
CALLS_OF_CHILD = 1000
CHILDREN_MAX = 4
SECONDS_OF_CALL = 6  # of processor time; a call that waits for something has WAITS times as long
WAITS = 8
LEAF_MAX = 16 << 10
LEAVES_MAX = 64
MESSAGE_MAX = 300
ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}|id=\d+")


class Unreadable(Exception):
    """The returned value cannot be compared."""


class Pool:
    def __init__(self, folder: str) -> None:
        with open(os.path.join(folder, "pool.json")) as file:
            self.rows = json.load(file)
        with open(os.path.join(folder, "pool.bin"), "rb") as file:
            self.data = file.read()

    def array(self, at: int) -> Any:
        """A fresh array each time: a call may write into its arguments."""
        row = self.rows[at]
        part = self.data[row["at"] : row["at"] + row["n"]]
        return np.frombuffer(part, dtype=row["dtype"]).reshape(row["dims"]).copy()


class Runner:
    def __init__(self, framework: frameworks.Framework, pool: Pool) -> None:
        self.framework = framework
        self.pool = pool

    # Arguments ----------------------------------------------------------------------------------

    def _special(self, value: dict[str, Any]) -> Any:
        if "t" in value:
            array = self.pool.array(value["t"])
            if value.get("perm"):
                array = np.ascontiguousarray(array.transpose(value["perm"]))
            if value.get("cast"):
                array = array.astype(value["cast"])
            return self.framework.make(array)
        if "dtype" in value:
            return self.framework.dtype(value["dtype"])
        if "tuple" in value:
            return tuple(self.argument(v) for v in value["tuple"])
        if "float" in value:
            return float(value["float"])
        if "complex" in value:
            return complex(*value["complex"])
        if "symbol" in value:
            return self.framework.find(value["symbol"])
        return slice(*value["slice"])

    def argument(self, value: Any) -> Any:
        if isinstance(value, dict):
            return self._special(value)
        if isinstance(value, list):
            return [self.argument(v) for v in value]
        return value

    # Classes ------------------------------------------------------------------------------------

    def _seeded(self, number: int, shape: tuple[int, ...], dtype: str) -> Any:
        n = int(np.prod(shape, dtype=np.int64))
        values = np.sin(np.arange(n) * 0.7 + number) * 0.5
        return values.reshape(shape).astype(dtype)

    def _set_weights(self, made: Any, order: list[Any] | None) -> None:
        torch_like = hasattr(made, "parameters")
        weights = list(made.parameters()) if torch_like else list(getattr(made, "weights", []))
        for i, w in enumerate(weights):
            number, perm = (order[i] if order and i < len(order) else None) or [i, None]
            shape = tuple(int(d) for d in w.shape)
            if perm:
                first = [0] * len(perm)
                for to, of in enumerate(perm):
                    first[of] = shape[to]
                value = self._seeded(number, tuple(first), "float32").transpose(perm)
            else:
                value = self._seeded(number, shape, "float32")
            value = self.framework.make(np.ascontiguousarray(value))
            if torch_like:
                w.data.copy_(value)
            else:
                w.assign(value)

    def _step(self, cls: Any, call: dict[str, Any], args: list[Any], keys: dict[str, Any]) -> Any:
        value, gradient = args
        if self.framework.name == "torch":
            torch = self.framework.roots["torch"]
            p = torch.nn.Parameter(value.clone())
            optimizer = cls([p], **keys)
            for _ in range(3):
                p.grad = gradient.clone()
                optimizer.step()
            return p
        keras = self.framework.roots["keras"]
        variable = keras.Variable(value)
        optimizer = cls(**keys)
        for _ in range(3):
            optimizer.apply([gradient], [variable])
        return variable

    def run(self, call: dict[str, Any]) -> Any:
        target = self.framework.find(call["symbol"])
        args = [self.argument(v) for v in call.get("args", ())]
        keys = {k: self.argument(v) for k, v in call.get("keys", {}).items()}
        if call.get("step"):
            return self._step(target, call, args, keys)
        if "make" not in call:
            return target(*args, **keys)
        made = target(
            *[self.argument(v) for v in call["make"]],
            **{k: self.argument(v) for k, v in call.get("make_keys", {}).items()},
        )
        if hasattr(made, "eval"):
            made.eval()
        if not hasattr(made, "parameters") and getattr(made, "weights", None) is not None:
            made(*[self.argument(v) for v in call["args"]], **keys)  # builds its weights
        if not hasattr(made, "update_state"):  # weights of a metric are its state
            self._set_weights(made, call.get("weights"))
        return made(*args, **keys)

    # What was returned --------------------------------------------------------------------------

    def flatten(self, value: Any, leaves: list[frameworks.Leaf]) -> str:
        """The tree of the value as text; its tensors and numbers are added to leaves."""
        if len(leaves) > LEAVES_MAX:
            raise Unreadable("more leaves than are kept")
        leaf = None if isinstance(value, (bool, int, float, complex)) else self.framework.read(value)
        if leaf is not None:
            leaves.append(leaf)
            return "t"
        if isinstance(value, (bool, int, float, complex)):
            if isinstance(value, int) and abs(value) >= 1 << 63:
                raise Unreadable("an integer beyond 64 bits")
            array = np.asarray(value)
            leaves.append(frameworks.Leaf(array, array.dtype.name))
            return "n"
        if value is None:
            return "0"
        if isinstance(value, dict):
            return "(" + "".join(self.flatten(value[k], leaves) for k in sorted(value)) + ")"
        if isinstance(value, (list, tuple)) or type(value).__name__ in ("TensorShape", "Size"):
            return "(" + "".join(self.flatten(v, leaves) for v in value) + ")"
        raise Unreadable(type(value).__name__)


class Results:
    """Two files that only grow. Each call writes its values before its line, so the lines that a
    dead child wrote are complete."""

    def __init__(self, folder: str) -> None:
        flags = os.O_CREAT | os.O_WRONLY | os.O_APPEND
        self.lines = os.open(os.path.join(folder, "results.jsonl"), flags, 0o644)
        self.values = os.open(os.path.join(folder, "values.bin"), flags, 0o644)

    def line(self, row: dict[str, Any]) -> None:
        os.write(self.lines, (json.dumps(row) + "\n").encode())

    def leaf(self, leaf: frameworks.Leaf) -> dict[str, Any]:
        data = np.ascontiguousarray(leaf.array).tobytes()
        row: dict[str, Any] = {"dtype": leaf.dtype, "dims": list(leaf.array.shape)}
        if len(data) > LEAF_MAX:
            return row | {"hash": hashlib.sha256(data).hexdigest()[:32]}
        fcntl.lockf(self.values, fcntl.LOCK_EX)  # of this process: another child appends too
        at = os.lseek(self.values, 0, os.SEEK_END)
        os.write(self.values, data)
        fcntl.lockf(self.values, fcntl.LOCK_UN)
        return row | {"at": at, "n": len(data), "stored": leaf.array.dtype.name}


def told(e: BaseException) -> dict[str, Any]:
    text = ADDRESS.sub("#", str(e)[: 4 * MESSAGE_MAX])[:MESSAGE_MAX]
    return {"outcome": "raised", "type": type(e).__name__, "message": text}


def run_one(runner: Runner, call: dict[str, Any], results: Results) -> dict[str, Any]:
    row: dict[str, Any] = {"key": call["key"]}
    leaves: list[frameworks.Leaf] = []
    try:
        runner.framework.find(call["symbol"])
    except (AttributeError, KeyError) as e:
        return row | told(e) | {"outcome": "no-symbol"}
    try:
        form = runner.flatten(runner.run(call), leaves)
    except Unreadable as e:
        return row | {"outcome": "unreadable", "message": str(e)}
    except Exception as e:  # noqa: BLE001 - whatever a framework raises is a result
        return row | told(e)
    return row | {"outcome": "ok", "form": form, "leaves": [results.leaf(x) for x in leaves]}


def child(runner: Runner, calls: list[dict[str, Any]], results: Results, fd: int) -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    null = os.open(os.devnull, os.O_RDWR)
    for n in (0, 1, 2):
        os.dup2(null, n)
    for i, call in enumerate(calls):
        os.write(fd, struct.pack("<i", i))
        results.line(run_one(runner, call, results))
    os.write(fd, struct.pack("<i", len(calls)))
    os._exit(0)


def processor_seconds(pid: int) -> float:
    """What a process has used; on a busy machine a call takes many times as long."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Child:
    """A fork that runs calls in order and tells the number of each before it begins."""

    def __init__(self, runner: Runner, calls: list[dict[str, Any]], results: Results) -> None:
        self.calls = calls
        self.at = 0  # the number of its last call
        self.rest = b""
        self.fd, w = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.fd)
            try:
                child(runner, calls, results, w)
            finally:
                os._exit(70)
        os.close(w)
        self._goes_on()

    def fileno(self) -> int:
        return self.fd

    def _goes_on(self) -> None:
        self.spent, self.began = processor_seconds(self.pid), time.monotonic()

    def has_ended(self) -> bool:
        """Reads what it told, once there is something."""
        part = os.read(self.fd, 4096)
        self.rest += part
        whole = len(self.rest) // 4 * 4
        if whole:
            self.at = struct.unpack_from("<i", self.rest, whole - 4)[0]
            self.rest = self.rest[whole:]
        self._goes_on()
        return not part

    def hangs(self) -> bool:
        wall = time.monotonic() - self.began
        return wall >= SECONDS_OF_CALL and (
            wall >= SECONDS_OF_CALL * WAITS
            or processor_seconds(self.pid) - self.spent >= SECONDS_OF_CALL
        )

    def end(self, hung: bool, results: Results) -> list[dict[str, Any]]:
        """Tells how the call ended at which it stopped; returns the calls behind that."""
        if hung:
            os.kill(self.pid, signal.SIGKILL)
        os.close(self.fd)
        _, status = os.waitpid(self.pid, 0)
        if self.at >= len(self.calls):
            return []
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        outcome = "hangs" if hung else "died"
        results.line({"key": self.calls[self.at]["key"], "outcome": outcome, "code": code})
        return self.calls[self.at + 1 :]


def run_all(runner: Runner, calls: list[dict[str, Any]], results: Results) -> None:
    """Runs the calls in as many children as there are cores, which append to the same files."""
    left = [calls[i : i + CALLS_OF_CHILD] for i in range(0, len(calls), CALLS_OF_CHILD)][::-1]
    n_children = min(len(os.sched_getaffinity(0)), CHILDREN_MAX)
    running: list[Child] = []
    while left or running:
        while left and len(running) < n_children:
            running.append(Child(runner, left.pop(), results))
        ready, _, _ = select.select(running, [], [], 1.0)
        for one in list(running):
            ended = one in ready and one.has_ended()
            hung = not ended and one.hangs()
            if ended or hung:
                running.remove(one)
                rest = one.end(hung, results)
                left += [rest] if rest else []


def main() -> int:
    name, folder, out = sys.argv[1:4]
    began = time.monotonic()
    warnings.filterwarnings("ignore")
    np.seterr(all="ignore")
    runner = Runner(frameworks.open_framework(name), Pool(folder))
    with open(os.path.join(folder, "calls.jsonl")) as file:
        calls = [json.loads(line) for line in file]
    if name == "torch" and any(call.get("step") for call in calls):
        importlib.import_module("torch._dynamo")  # optimisers import it: once, not in each child
    gc.collect()
    gc.freeze()
    run_all(runner, calls, Results(out))
    told_end = {"version": runner.framework.version(), "numpy": np.__version__, "calls": len(calls)}
    with open(os.path.join(out, "end.json"), "w") as file:
        json.dump(told_end, file)
    print(f"{len(calls)} calls in {time.monotonic() - began:.1f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
