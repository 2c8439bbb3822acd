"""python -I -B .../attempt.py PROGRAM ARGS...: makes an escape attempt where a case would run.

PROGRAM is assay itself. It makes the attempt in a child forked like a case's; processes left behind are ended as after
a case.
"""

import ctypes
import os
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from assay_worker import leftovers  # noqa: E402

PR_SET_PDEATHSIG = 1


def main() -> int:
    leftovers.adopt_orphans()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the child inherits this: only SIGKILL ends it
    pid = os.fork()
    if pid == 0:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.execv(sys.argv[1], sys.argv[1:])
    _, status = os.waitpid(pid, 0)
    leftovers.end_orphans()
    if os.WIFSIGNALED(status):
        os.kill(os.getpid(), os.WTERMSIG(status))
    return os.WEXITSTATUS(status)


if __name__ == "__main__":
    sys.exit(main())
