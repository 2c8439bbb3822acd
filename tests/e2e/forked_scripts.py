"""Runs Python scripts in children of one interpreter that has imported their framework.

    forked_scripts.py MODULE JOBS SECONDS < LIST

Each line of LIST is "SCRIPT LOG". Writes what a script prints to LOG.out and its exit code to
LOG.code, as a shell would say it: 128 + N for a signal, 124 after SECONDS. Importing torch or
TensorFlow takes 2 to 4 seconds of CPU, most of what such a script takes; nothing of the framework
runs before the fork, so that each child starts it afresh.
"""

import importlib
import os
import runpy
import signal
import sys
import time


def start(script: str, log: str) -> int:
    """Forks a child; returns its pid here, and does not return in the child."""
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    out = os.open(f"{log}.out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(out, 1)
    os.dup2(out, 2)
    sys.argv, sys.path[0] = [script], os.path.dirname(script)
    runpy.run_path(script, run_name="__main__")
    sys.exit(0)


def settle(log: str, status: int, timed_out: bool) -> None:
    code = os.waitstatus_to_exitcode(status)
    code = 124 if timed_out else 128 - code if code < 0 else code
    with open(f"{log}.code", "w", encoding="utf-8") as file:
        file.write(f"{code}\n")


def main() -> None:
    module, jobs, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    waiting = [line.split() for line in sys.stdin]
    importlib.import_module(module)
    running: dict[int, tuple[str, float]] = {}
    timed_out: set[int] = set()
    while waiting or running:
        while waiting and len(running) < jobs:
            script, log = waiting.pop(0)
            running[start(script, log)] = (log, time.monotonic() + seconds)
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid:
            settle(running.pop(pid)[0], status, pid in timed_out)
            continue
        for late in [p for p, (_, end) in running.items() if time.monotonic() > end]:
            if late not in timed_out:
                os.killpg(late, signal.SIGKILL)
                timed_out.add(late)
        time.sleep(0.02)


if __name__ == "__main__":
    main()
