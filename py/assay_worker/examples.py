"""python -I -B .../examples.py ORDER: runs documented examples and reports what each statement printed.

ORDER is a file with one JSON object:

    {"framework": "torch", "seconds": 20, "documents": [
        {"name": "torch.abs", "seed": 0, "fill": false,
         "statements": [{"source": "a = torch.randn(2)\n", "name": "a", "values": "[[0.1, 0.2]]"}]}]}

One line of JSON per document goes to stdout, in order: {"name", "seed", "fill", "end": "done" | "timeout"
| "signal N" | "exit N", "results": [{"printed", "type", "message", "put"}]}. The statements of a document run
in one namespace, in a process of their own, as an interactive interpreter runs them; after one that raises
(type, message) the others still run. A document that dies has the results up to there; one that took too
long is not run again.

`name` and `values` put printed random inputs back: before the statement runs, the elements of these
variables are set to the printed ones, if they are arrays of that shape ("put": whether all were). `fill`
fills memory that the framework leaves uninitialised, if possible; `seed` seeds all generators.
What the output means is decided elsewhere.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import dataclasses
import importlib
import io
import json
import os
import random
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

PRINTED_MAX = 20000
MESSAGE_MAX = 4000


def seed_torch(seed: int, fill: bool) -> None:
    import torch

    torch.manual_seed(seed)
    if fill:
        torch.use_deterministic_algorithms(True, warn_only=True)
        torch.utils.deterministic.fill_uninitialized_memory = True


def seed_keras(seed: int, fill: bool) -> None:
    import keras

    keras.utils.set_random_seed(seed)


def seed_tensorflow(seed: int, fill: bool) -> None:
    import tensorflow

    tensorflow.random.set_seed(seed)


def seed_nothing(seed: int, fill: bool) -> None:
    """For jax and onnx, which have no global generator."""


def put_torch(old: Any, values: Any) -> bool:
    import torch

    new = torch.tensor(values)
    if not isinstance(old, torch.Tensor) or old.shape != new.shape:
        return False
    with torch.no_grad():
        old.data.copy_(new)
    return True


def put_numpy(old: Any, values: Any) -> bool:
    import numpy

    new = numpy.array(values)
    if not isinstance(old, numpy.ndarray) or old.shape != new.shape:
        return False
    old[...] = new
    return True


@dataclasses.dataclass(frozen=True)
class Framework:
    """names: what an example may use without importing it, by convention."""

    names: dict[str, str]
    seed: Callable[[int, bool], None] = seed_nothing
    put: Callable[[Any, Any], bool] = put_numpy
    environment: dict[str, str] = dataclasses.field(default_factory=dict)
    warm: tuple[str, ...] = ()


FRAMEWORKS = {
    "torch": Framework(
        {
            "torch": "torch",
            "nn": "torch.nn",
            "F": "torch.nn.functional",
            "optim": "torch.optim",
            "np": "numpy",
            "numpy": "numpy",
            "math": "math",
        },
        seed_torch,
        put_torch,
        warm=("torch.nn.utils.prune", "torch.distributions", "torch._inductor.config"),
    ),
    "keras": Framework(
        {"keras": "keras", "np": "numpy", "numpy": "numpy", "math": "math"},
        seed_keras,
        environment={"KERAS_BACKEND": "numpy"},  # starts no threads, so it forks fast
    ),
    "jax": Framework(
        {
            "jax": "jax",
            "jnp": "jax.numpy",
            "lax": "jax.lax",
            "np": "numpy",
            "numpy": "numpy",
            "math": "math",
        }
    ),
    "tensorflow": Framework(
        {"tf": "tensorflow", "tensorflow": "tensorflow", "np": "numpy", "math": "math"},
        seed_tensorflow,
    ),
    "numpy": Framework({"np": "numpy", "numpy": "numpy", "math": "math"}),
}


def find(name: str) -> Any:
    """The object of a dotted public name. AttributeError or ImportError: there is none."""
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:n]))
        except ImportError:
            continue
        for part in parts[n:]:
            value = getattr(value, part)
        return value
    raise ImportError(name)


def namespace_of(framework: Framework, name: str) -> dict[str, Any]:
    """Conventional names, and those of the module that defines the documented object."""
    space: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
    with contextlib.suppress(Exception):
        documented = find(name)
        for owner in (getattr(documented, "__module__", None), name.rsplit(".", 1)[0]):
            module = sys.modules.get(owner or "")
            found = vars(module).items() if module else ()
            space |= {k: v for k, v in found if usable(k, v)}
        if "." in name:
            space.setdefault(name.rsplit(".", 1)[1], documented)
    for short, long in framework.names.items():
        space[short] = importlib.import_module(long)
    return space


def usable(name: str, value: Any) -> bool:
    """False for a name that hides a builtin, and for a module, which an example must import itself."""
    is_module = isinstance(value, type(sys))
    return not (is_module or name.startswith("__") or hasattr(builtins, name))


def clean(text: str, most: int) -> str:
    """The text cut to `most`, without what JSON readers refuse: zero bytes and lone surrogates."""
    text = text[:most].replace("\0", "\\x00")
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def text_of(e: BaseException) -> str:
    try:
        return str(e)
    except Exception:  # noqa: BLE001 - a message that cannot be printed
        return ""


def put_back(framework: Framework, space: dict[str, Any], s: dict[str, Any]) -> bool:
    names = [n.strip() for n in s["name"].split(",")]
    try:
        values = ast.literal_eval(s["values"])
        put = [framework.put(space[n], v) for n, v in zip(names, values, strict=True)]
        return all(put)
    except Exception:  # noqa: BLE001 - then it stays as it is and is reported so
        return False


def run_statement(framework: Framework, space: dict[str, Any], s: dict[str, Any]) -> dict[str, Any]:
    out = io.StringIO()
    told: dict[str, Any] = {}
    if s.get("values"):
        told["put"] = put_back(framework, space, s)
    try:
        code = compile(s["source"], "<document>", "single", dont_inherit=True)
        with contextlib.redirect_stdout(out):
            exec(code, space)  # noqa: S102 - that is the example
    except KeyboardInterrupt:
        raise
    except BaseException as e:  # noqa: BLE001 - what an example raises is a result
        told |= {"type": type(e).__name__, "message": clean(text_of(e), MESSAGE_MAX)}
    return {"printed": clean(out.getvalue(), PRINTED_MAX)} | told


def child(framework: Framework, document: dict[str, Any], pipe: int) -> None:
    """Runs one document and writes a line per statement; never returns."""
    seed, fill = document.get("seed", 0), document.get("fill", False)
    with os.fdopen(pipe, "w", encoding="utf-8") as out:
        random.seed(seed)
        with contextlib.suppress(ImportError):
            import numpy

            numpy.random.seed(seed)
        framework.seed(seed, fill)
        space = namespace_of(framework, document["name"])
        for s in document["statements"]:
            out.write(json.dumps(run_statement(framework, space, s)) + "\n")
            out.flush()
    os._exit(0)


def read_until(pipe: int, pid: int, deadline: float) -> tuple[bytes, bool]:
    """The child's output until it ended or ran out of time, and whether it ran out."""
    text = b""
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([pipe], [], [], left)[0]:
            os.kill(pid, signal.SIGKILL)
            return text, True
        part = os.read(pipe, 1 << 16)
        if not part:
            return text, False
        text += part


def not_run(document: dict[str, Any]) -> dict[str, Any]:
    """The result for a document that took too long in an earlier run."""
    seed, fill = document.get("seed", 0), document.get("fill", False)
    return {"name": document["name"], "seed": seed, "fill": fill, "end": "timeout", "results": []}


def run_document(framework: Framework, document: dict[str, Any], seconds: float) -> dict[str, Any]:
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(ours)
            os.setsid()
            child(framework, document, theirs)
        finally:
            os._exit(70)
    os.close(theirs)
    text, late = read_until(ours, pid, time.monotonic() + seconds)
    os.close(ours)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL) if late else None
    _, status = os.waitpid(pid, 0)
    end = "done"
    if late:
        end = "timeout"
    elif os.WIFSIGNALED(status):
        end = f"signal {os.WTERMSIG(status)}"
    elif os.WEXITSTATUS(status):
        end = f"exit {os.WEXITSTATUS(status)}"
    whole = [line for line in text.decode("utf-8", "replace").split("\n")[:-1] if line]
    return {
        "name": document["name"],
        "seed": document.get("seed", 0),
        "fill": document.get("fill", False),
        "end": end,
        "results": [json.loads(line) for line in whole],
    }


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        order = json.load(file)
    framework = FRAMEWORKS[order["framework"]]
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # keeps output of native code out of the answer
    for name, value in framework.environment.items():
        os.environ.setdefault(name, value)
    warnings.simplefilter("ignore")
    for name in (*framework.names.values(), *framework.warm):
        importlib.import_module(name)
    late: set[str] = set()
    with answer:
        for document in order["documents"]:
            name = document["name"]
            if name in late:
                told = not_run(document)
            else:
                told = run_document(framework, document, float(order.get("seconds", 20)))
            if told["end"] == "timeout":
                late.add(name)
            answer.write(json.dumps(told) + "\n")
            answer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
