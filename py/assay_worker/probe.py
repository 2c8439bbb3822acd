"""python -I -B .../probe.py PACKAGE MODULE [LIBRARY]: prints what an environment has, as JSON."""

import glob
import importlib
import importlib.metadata
import importlib.util
import json
import os
import platform
import sys
import time
from typing import Any


def fork_works() -> bool:
    """Does a child of a process that has imported the engine end by itself?"""
    pid = os.fork()
    if pid == 0:
        os._exit(7)
    _, status = os.waitpid(pid, 0)
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 7


def folders() -> list[str]:
    """All folders that an interpreter of this environment reads."""
    found = [sys.prefix, sys.base_prefix, os.path.dirname(os.path.realpath(sys.executable))]
    found += [p for p in sys.path if os.path.isdir(p) and "assay_worker" not in p]
    kept: list[str] = []
    for path in sorted({os.path.realpath(p) for p in found}, key=len):
        if not any(path == k or path.startswith(k + "/") for k in kept):
            kept.append(path)
    return kept


def main() -> int:
    package, module = sys.argv[1], sys.argv[2]
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keeps output of the engine's import out of the answer
    found: dict[str, Any] = {
        "python": sys.executable,
        "python_version": platform.python_version(),
        "roots": folders(),
    }
    try:
        distribution = importlib.metadata.distribution(package)
        found["version"] = distribution.version.split("+")[0]  # without "+cpu"
        if len(sys.argv) > 3:
            pattern = str(distribution.locate_file(sys.argv[3]))
            libraries = sorted(glob.glob(pattern), key=len)
            found["library"] = os.path.realpath(libraries[-1]) if libraries else ""
        if module == "keras":  # which cannot be imported without the backend that it is told
            backends = (b for b in ("tensorflow", "jax", "torch") if importlib.util.find_spec(b))
            os.environ.setdefault("KERAS_BACKEND", next(backends, "tensorflow"))
        began = time.monotonic()
        importlib.import_module(module)
        found["import_ms"] = int((time.monotonic() - began) * 1000)
        found["tasks_after_import"] = len(os.listdir("/proc/self/task"))
        found["fork_works"] = fork_works()
    except Exception as e:  # noqa: BLE001 - the message is the result
        found["error"] = f"{type(e).__name__}: {e}"
    json.dump(found, answer)
    answer.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
