"""python -I -B .../assay_worker/__main__.py ADAPTER FD: a worker process."""

import importlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from assay_worker import serve  # noqa: E402


def run() -> int:
    name, fd = sys.argv[1], int(sys.argv[2])
    adapter = importlib.import_module(f"assay_worker.adapters.{name}").Adapter()
    return serve.main(name, fd, adapter)


if __name__ == "__main__":
    sys.exit(run())
