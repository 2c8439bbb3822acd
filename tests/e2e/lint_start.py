"""Checks that no unwanted library is mapped by waiting `assay lint` and `assay lsp` (/proc/PID/maps), or ever loaded by a lint with
worker processes (the loader's log), and that a start with one file of 50 lines takes at most RATIO_MAX of the CPU of a bare
start of Python: a figure in milliseconds would judge the machine."""

import glob
import json
import os
import re
import resource
import subprocess
import sys

ALLOWED = ("ld-linux", "libc.", "libm.", "libdl.", "libpthread.", "librt.")
# Linked statically where the system has the archive; elsewhere they may be mapped.
STATIC_IF_ARCHIVE = ("libopenblas", "libsqlite3", "libjansson")
RATIO_MAX = 1.5
PYTHON = [sys.executable, "-I", "-S", "-c", "pass"]
N_STARTS = 20

failures: list[str] = []
n_checks = 0


def check(name: str, ok: bool, detail: object = "") -> None:
    global n_checks
    n_checks += 1
    if not ok:
        failures.append(f"{name}: {detail}")


def has_archive(library: str) -> bool:
    return any(glob.glob(f"/usr/lib/{folder}{library}.a") for folder in ("", "*/", "*/*/"))


def unwanted(libraries: set[str]) -> list[str]:
    """Names of those shared libraries that neither command needs."""
    dynamic = tuple(name for name in STATIC_IF_ARCHIVE if not has_archive(name))
    return sorted(name for name in libraries if not name.startswith(ALLOWED + dynamic))


def mapped(pid: int) -> set[str]:
    """File names of the shared libraries that a process has mapped."""
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
        paths = [line.split(maxsplit=5)[5].strip() for line in maps if "/" in line]
    return {os.path.basename(path) for path in paths if ".so" in os.path.basename(path)}


def wait_until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """Waits until the process sleeps in a read of its empty standard input: then its libraries are loaded."""
    while process.poll() is None:
        with open(f"/proc/{process.pid}/stat", encoding="utf-8") as stat:
            if stat.read().rsplit(")", 1)[1].split()[0] == "S":
                return
        os.sched_yield()


def lint_waiting(assay: str) -> set[str]:
    with subprocess.Popen([assay, "lint", "--isolated", "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        wait_until_it_reads(process)
        found = mapped(process.pid)
        process.communicate(b"import torch\n")
    return found


def lsp_after_hello(assay: str) -> set[str]:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()
    with subprocess.Popen([assay, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        process.stdin.flush()
        process.stdout.readline()
        found = mapped(process.pid)
        process.kill()
    return found


def loaded_by_workers(assay: str, folder: str) -> set[str]:
    """Every library that a lint of many files and its workers load, early or late."""
    for i in range(20):
        with open(os.path.join(folder, f"file{i}.py"), "w", encoding="utf-8") as file:
            file.write("import torch\n")
    log = os.path.join(folder, "loader")
    environment = {**os.environ, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": log}
    subprocess.run([assay, "lint", "--no-cache", "-j", "2", folder], env=environment, stdout=subprocess.DEVNULL, check=False)
    names = set()
    for path in glob.glob(log + ".*"):
        with open(path, encoding="utf-8") as text:
            names |= set(re.findall(r"file=([^\s;]+\.so[^\s;]*)", text.read()))
    return {os.path.basename(name) for name in names} - {"linux-vdso.so.1"}


def cpu_ms(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def starts_ms(assay: str, folder: str) -> tuple[float, float]:
    """CPU time, in milliseconds, of the fastest of several runs in turn: assay on one file of 50 lines, and Python on nothing."""
    path = os.path.join(folder, "fifty.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write("import torch\nfrom torch import nn\nmodel = nn.Linear(1, 2)\n" + "y = model(torch.zeros(3, 1))\n" * 47)
    lint = [assay, "lint", "--isolated", "--no-cache", path]
    pairs = [(cpu_ms(lint), cpu_ms(PYTHON)) for _ in range(N_STARTS)]
    return min(ours for ours, _ in pairs), min(theirs for _, theirs in pairs)


def main() -> int:
    assay, folder = sys.argv[1], sys.argv[2]
    for name, libraries in (
        ("assay lint", lint_waiting(assay)),
        ("assay lsp", lsp_after_hello(assay)),
        ("lint with workers", loaded_by_workers(assay, folder)),
    ):
        check(f"{name}: libc is seen, so the reading works", any(x.startswith("libc.") for x in libraries), libraries)
        check(f"{name}: libraries it does not need", not unwanted(libraries), unwanted(libraries))
    took, python = starts_ms(assay, folder)
    check(f"a start and a file of 50 lines within {RATIO_MAX} starts of Python", took <= RATIO_MAX * python, f"{took:.1f} ms, {python:.1f} ms")
    for failure in failures:
        print(f"lint_start.sh: {failure}")
    print(f"a start and a file of 50 lines: {took:.1f} ms of CPU; a bare start of Python: {python:.1f} ms")
    print(f"{n_checks - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
