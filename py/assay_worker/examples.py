"""python -I -B .../examples.py ORDER: runs documented examples and reports what each statement printed.

ORDER is a file with one JSON object:

    {"framework": "torch", "seconds": 20, "documents": [
        {"name": "torch.abs", "seed": 0, "fill": false,
         "statements": [{"source": "a = torch.randn(2)\n", "name": "a", "values": "[[0.1, 0.2]]"}]}]}

One line of JSON per document goes to stdout, in order: {"name", "seed", "fill", "end": "done" | "timeout"
| "signal N" | "exit N", "results": [{"printed", "type", "message", "put"}]}. The statements of a document run
in one namespace, in a process of their own, as an interactive interpreter runs them; after one that raises
(type, message) the others still run. A document that dies has the results up to there; one that took too
long is not run again. Documents of the same name that follow each other are runs of one document: in jax
they share a process until one changes its settings.

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
import itertools
import json
import linecache
import os
import random
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TextIO

PRINTED_MAX = 20000
MESSAGE_MAX = 4000
GRACE = 5  # seconds from the end of what a child writes to its own end


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


def settings_of_jax() -> Any:
    import jax

    return dict(jax.config.values), dict(os.environ)


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
    """names: what an example may use without importing it, by convention. warm: further modules, imported
    once for all documents. settings: what a document may change; given where the runs of one document
    share a process, since compiled programs are kept there.
    """

    names: dict[str, str]
    seed: Callable[[int, bool], None] = seed_nothing
    put: Callable[[Any, Any], bool] = put_numpy
    environment: dict[str, str] = dataclasses.field(default_factory=dict)
    warm: tuple[str, ...] = ()
    settings: Callable[[], Any] | None = None


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
        warm=("tensorflow",),  # is imported by set_random_seed, if there is one
    ),
    "jax": Framework(
        {
            "jax": "jax",
            "jnp": "jax.numpy",
            "lax": "jax.lax",
            "np": "numpy",
            "numpy": "numpy",
            "math": "math",
        },
        # As many devices as jax's own documents are tested with.
        environment={"XLA_FLAGS": "--xla_force_host_platform_device_count=8"},
        settings=settings_of_jax,
    ),
    "tensorflow": Framework(
        {
            "tf": "tensorflow",
            "tensorflow": "tensorflow",
            "np": "numpy",
            "math": "math",
            "os": "os",
        },
        seed_tensorflow,
    ),
    "onnx": Framework({"onnx": "onnx", "reference": "onnx.reference", "np": "numpy"}),
    "numpy": Framework({"np": "numpy", "numpy": "numpy", "math": "math"}),
}


def find(name: str) -> Any:
    """The object of a dotted public name. ImportError: there is none."""
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        # TensorFlow has modules of the same name as its public ones, with less in them.
        with contextlib.suppress(ImportError, AttributeError):
            value: Any = importlib.import_module(".".join(parts[:n]))
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
        file = f"<document {len(linecache.cache)}>"
        lines = s["source"].splitlines(keepends=True)
        linecache.cache[file] = (len(s["source"]), None, lines, file)  # for what reads its source
        code = compile(s["source"], file, "single", dont_inherit=True)
        with contextlib.redirect_stdout(out):
            exec(code, space)  # noqa: S102 - that is the example
    except KeyboardInterrupt:
        raise
    except BaseException as e:  # noqa: BLE001 - what an example raises is a result
        told |= {"type": type(e).__name__, "message": clean(text_of(e), MESSAGE_MAX)}
    return {"printed": clean(out.getvalue(), PRINTED_MAX)} | told


def run_statements(framework: Framework, document: dict[str, Any], out: TextIO) -> None:
    """Runs one document: a line per statement, then an empty one."""
    seed, fill = document.get("seed", 0), document.get("fill", False)
    random.seed(seed)
    with contextlib.suppress(ImportError):
        import numpy

        numpy.random.seed(seed)
    framework.seed(seed, fill)
    space = namespace_of(framework, document["name"])
    for s in document["statements"]:
        out.write(json.dumps(run_statement(framework, space, s)) + "\n")
        out.flush()
    out.write("\n")
    out.flush()


def child(framework: Framework, documents: list[dict[str, Any]], pipe: int) -> None:
    """Runs documents until one changes the framework's settings; never returns."""
    with os.fdopen(pipe, "w", encoding="utf-8") as out:
        before = framework.settings and framework.settings()
        for document in documents:
            run_statements(framework, document, out)
            if framework.settings and framework.settings() != before:
                break
    os._exit(0)


def read_until(pipe: int, pid: int, seconds: float) -> tuple[bytes, bool]:
    """The child's output until it ended or one document ran out of time, and whether one did."""
    text = b""
    deadline = time.monotonic() + seconds
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([pipe], [], [], left)[0]:
            os.kill(pid, signal.SIGKILL)
            return text, True
        part = os.read(pipe, 1 << 16)
        if not part:
            return text, False
        if b"\n\n" in text[-1:] + part:
            deadline = time.monotonic() + seconds
        text += part


def result_of(document: dict[str, Any], end: str, lines: list[str]) -> dict[str, Any]:
    return {
        "name": document["name"],
        "seed": document.get("seed", 0),
        "fill": document.get("fill", False),
        "end": end,
        "results": [json.loads(line) for line in lines],
    }


def status_of(pid: int, is_late: bool) -> int:
    """The wait status of the leader of a process group; who is late, or does not end within GRACE, is killed."""
    deadline = time.monotonic() + (0 if is_late else GRACE)
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        if time.monotonic() >= deadline:
            os.killpg(pid, signal.SIGKILL)
            return os.waitpid(pid, 0)[1]
        time.sleep(0.001)


def forked(act: Callable[[int], None], seconds: float) -> tuple[bytes, str]:
    """What a child in a session of its own writes into the pipe that it acts with, and how it ended: "done", "timeout",
    "signal N" or "exit N". What it leaves behind is killed.
    """
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(ours)
            os.setsid()
            act(theirs)
        finally:
            os._exit(70)
    os.close(theirs)
    text, is_late = read_until(ours, pid, seconds)
    os.close(ours)
    status = status_of(pid, is_late)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    if is_late:
        return text, "timeout"
    if os.WIFSIGNALED(status):
        return text, f"signal {os.WTERMSIG(status)}"
    return text, f"exit {os.WEXITSTATUS(status)}" if os.WEXITSTATUS(status) else "done"


def run_child(
    framework: Framework, documents: list[dict[str, Any]], seconds: float
) -> list[dict[str, Any]]:
    """Results of the first documents, at least one, from one child."""
    text, end = forked(lambda pipe: child(framework, documents, pipe), seconds)
    *whole, rest = text.decode("utf-8", "replace").split("\n\n")
    told = [result_of(d, "done", part.split("\n")) for d, part in zip(documents, whole)]
    if end != "done" and len(told) < len(documents):
        told.append(result_of(documents[len(told)], end, rest.split("\n")[:-1]))
    return told


def run_documents(
    framework: Framework, documents: list[dict[str, Any]], seconds: float
) -> Iterator[dict[str, Any]]:
    """Results of the runs of one document; one that takes too long is not run again."""
    n = 0
    while n < len(documents):
        some = documents[n:] if framework.settings else documents[n : n + 1]
        for told in run_child(framework, some, seconds):
            n += 1
            yield told
        if told["end"] == "timeout":
            yield from (result_of(d, "timeout", []) for d in documents[n:])
            return


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        order = json.load(file)
    framework = FRAMEWORKS[order["framework"]]
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # keeps output of native code out of the answer
    for name, value in framework.environment.items():
        os.environ.setdefault(name, value)
    warnings.simplefilter("ignore")
    for name in framework.names.values():
        importlib.import_module(name)
    for name in framework.warm:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    with answer:
        for _, runs in itertools.groupby(order["documents"], key=lambda d: d["name"]):
            for told in run_documents(framework, list(runs), float(order.get("seconds", 20))):
                answer.write(json.dumps(told) + "\n")
                answer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
