"""Runs Python scripts in children of one interpreter that has imported their framework.

    forked_scripts.py MODULE JOBS SECONDS < LIST

Each line of LIST is "SCRIPT LOG". Writes what a script prints to LOG.out and its exit code to
LOG.code, as a shell would say it: 128 + N for a signal, 124 after SECONDS. Importing torch, Keras or
TensorFlow takes 2 to 4 seconds of CPU, most of what such a script takes; nothing of the framework
runs before the fork, so that each child starts it afresh.
"""

import importlib
import os
import runpy
import signal
import sys


def start(script: str, log: str, seconds: int) -> int:
    """Forks a child; returns its pid here, and does not return in the child."""
    pid = os.fork()
    if pid:
        return pid
    signal.alarm(seconds)
    out = os.open(f"{log}.out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(out, 1)
    os.dup2(out, 2)
    sys.argv, sys.path[0] = [script], os.path.dirname(script)
    runpy.run_path(script, run_name="__main__")
    sys.exit(0)


def shell_code(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGALRM:
        return 124
    return 128 - code if code < 0 else code


def main() -> None:
    module, jobs, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    waiting = [line.split() for line in sys.stdin]
    importlib.import_module(module)
    logs: dict[int, str] = {}  # of running children
    while waiting or logs:
        while waiting and len(logs) < jobs:
            script, log = waiting.pop(0)
            logs[start(script, log, seconds)] = log
        pid, status = os.wait()
        with open(f"{logs.pop(pid)}.code", "w", encoding="utf-8") as file:
            file.write(f"{shell_code(status)}\n")


if __name__ == "__main__":
    main()
