"""python -I -B .../assay_worker/__main__.py ADAPTER FD: a worker process."""

import importlib
import importlib.util
import os
import sys
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from assay_worker import serve


def load(name: str) -> Any:
    """Loads an adapter of ours by its module's name, or a user's by the path of its file."""
    if not name.endswith(".py"):
        return importlib.import_module(f"assay_worker.adapters.{name}")
    spec = importlib.util.spec_from_file_location("assay_own_adapter", name)
    if spec is None or spec.loader is None:
        raise ImportError(f"{name} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(name))
    spec.loader.exec_module(module)
    return module


def run() -> int:
    name, fd = sys.argv[1], int(sys.argv[2])
    return serve.main(name, fd, load(name).Adapter())


if __name__ == "__main__":
    sys.exit(run())
