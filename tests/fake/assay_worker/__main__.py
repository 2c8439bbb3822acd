"""A worker's double: the option "fault" of a mode, or the worker's name, forces each failure.

Other names break the protocol itself: see hello, main and run_case.

It takes the place of py/assay_worker, has its own implementation of the protocol, and returns input i as output i.
"""

import ctypes
import json
import os
import signal
import struct
import sys
import time

PR_SET_PDEATHSIG = 1
HEADER = struct.Struct("<IBBHI")
HELLO, WELCOME, RUN, STARTED, RESULT, EXITED, ERROR, BYE = range(1, 9)

NAME = sys.argv[1]
FD = int(sys.argv[2])
SCRATCH = ""
RESULTS = ""
BATCH = 0
CORRUPTED = False
N_CHILDREN = 0
KEPT = []


def read_exactly(n):
    data = b""
    while len(data) < n:
        part = os.read(FD, min(n - len(data), 65536))
        while not part and NAME == "never-leaves":
            time.sleep(3600)
        if not part:
            sys.exit(0)
        data += part
    return data


def read_frame():
    length, kind, _, _, seq = HEADER.unpack(read_exactly(12))
    if length > 1 << 20 and NAME != "any-length":
        sys.exit(70)
    return kind, seq, json.loads(read_exactly(length) or b"{}")


def write_bytes(data):
    while data:
        data = data[os.write(FD, data) :]


def frame(kind, seq, body):
    text = json.dumps(body).encode()
    return HEADER.pack(len(text), kind, 0, 0, seq) + text


def write_frame(kind, seq, body):
    write_bytes(frame(kind, seq, body))


def echo(order, at):
    """Inputs as outputs; the file is those of the inputs, one behind the other."""
    runs = []
    whole = b""
    name = f"{order['prefix']}out{at}.bin"
    folder = os.path.join(SCRATCH, order["folder"])
    for i, rows in enumerate(order["sets"]):
        with open(os.path.join(folder, rows["file"]), "rb") as file:
            data = file.read()
        tensors = [
            dict(row, name=out, at=row["at"] + len(whole))
            for row, out in zip(rows["tensors"], order["outputs"], strict=False)
        ]
        whole += data + bytes(-len(data) % 64)
        for repeat in range(order["repeats"]):
            runs.append({"set": i, "repeat": repeat, "outcome": "ok", "tensors": tensors})
    with open(os.path.join(RESULTS, name), "wb") as file:
        file.write(whole)
    return {"mode": at, "runs": runs, "file": name, "peak_bytes": 1}


# Faults ------------------------------------------------------------------------------------------


def silent(order, at, seq):
    time.sleep(3600)


def busy(order, at, seq):
    while True:
        pass


def busy_by_id(order, at, seq):
    """Hangs on one case in fifty, always on the same ones."""
    if int(order["case"][2:4], 16) < 5:
        busy(order, at, seq)
    write_frame(RESULT, seq, echo(order, at))


def half_frame(order, at, seq):
    data = frame(RESULT, seq, echo(order, at))
    write_bytes(data[: len(data) // 2])
    os._exit(0)


def half_frame_and_wait(order, at, seq):
    data = frame(RESULT, seq, echo(order, at))
    write_bytes(data[: len(data) // 2])
    time.sleep(3600)


def huge_frame(order, at, seq):
    write_bytes(HEADER.pack(0x7FFFFFFF, RESULT, 0, 0, seq))
    time.sleep(3600)


def garbage(order, at, seq):
    write_bytes(b"\xff\xfe garbage, not a frame \x00\x01\x02")
    time.sleep(3600)


def not_json(order, at, seq):
    write_bytes(HEADER.pack(3, RESULT, 0, 0, seq) + b"{]}")
    time.sleep(3600)


def double_reply(order, at, seq):
    reply = echo(order, at)  # once: a second one would write the file anew while the first is read
    write_frame(RESULT, seq, reply)
    write_frame(RESULT, seq, reply)


def other_seq(order, at, seq):
    write_frame(RESULT, seq + 7, echo(order, at))
    time.sleep(3600)


def other_kind(order, at, seq):
    write_frame(RUN, seq, {})
    time.sleep(3600)


def wrong_outputs(order, at, seq):
    body = echo(order, at)
    for run in body["runs"]:
        run["tensors"] = run["tensors"] * 3
    write_frame(RESULT, seq, body)
    time.sleep(3600)


def outside_file(order, at, seq):
    body = echo(order, at)
    for run in body["runs"]:
        for t in run["tensors"]:
            t["at"] = 1 << 40
    write_frame(RESULT, seq, body)
    time.sleep(3600)


def linked_file(order, at, seq):
    body = echo(order, at)
    path = os.path.join(RESULTS, body["file"])
    os.unlink(path)
    os.symlink("/etc/passwd", path)
    write_frame(RESULT, seq, body)


def die_9(order, at, seq):
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(3600)


def die_139(order, at, seq):
    os.kill(os.getpid(), signal.SIGSEGV)
    time.sleep(3600)


def die_134(order, at, seq):
    sys.stderr.write("Check failed: x > 0\n")
    sys.stderr.flush()
    os.abort()


def die_136(order, at, seq):
    os.kill(os.getpid(), signal.SIGFPE)
    time.sleep(3600)


def overflow(order, at, seq):
    sys.stderr.write("\nassay: signal 11 (SIGSEGV) stack overflow\nlib.so(+0x1)\n")
    sys.stderr.flush()
    die_139(order, at, seq)


def leave(order, at, seq):
    os._exit(3)


def slow(order, at, seq):
    time.sleep(0.3)
    write_frame(RESULT, seq, echo(order, at))


def oom(order, at, seq):
    blocks = []
    while True:
        blocks.append(bytearray(16 << 20))


def flood(order, at, seq):
    block = "x" * 65536 + "\n"
    while True:
        sys.stderr.write(block)


def exception(order, at, seq):
    body = echo(order, at)
    for run in body["runs"]:
        run.clear()
        run |= {"set": 0, "repeat": 0, "outcome": "exception", "type": "FAIL"}
        run |= {"message": order["modes"][at]["options"]["text"], "module": "native"}
    write_frame(RESULT, seq, body)


def fusion(order, at, seq):
    """Refuses the case unless the optimiser of the option "pass" is disabled."""
    if order["modes"][at]["options"]["pass"] in order["disable"]:
        write_frame(RESULT, seq, echo(order, at))
    else:
        exception(order, at, seq)


def has_ops(order, names):
    """Are there nodes of all these operators? By the field op_type as it lies in the file."""
    with open(os.path.join(SCRATCH, order["folder"], order["model"]), "rb") as file:
        data = file.read()
    return all(b'"' + bytes([len(name)]) + name.encode() in data for name in names)


def picky(order, at, seq):
    """Lacks the operator "lacks"; dies of models, or refuses those, that hold all of "ops"."""
    options = order["modes"][at]["options"]
    if "lacks" in options and has_ops(order, [options["lacks"]]):
        body = echo(order, at)
        for run in body["runs"]:
            run |= {"outcome": "unsupported", "type": "", "message": "it is not there"}
        write_frame(RESULT, seq, body)
    elif not has_ops(order, options["ops"]):
        write_frame(RESULT, seq, echo(order, at))
    elif "text" in options:
        exception(order, at, seq)
    else:
        die_139(order, at, seq)


def corrupt_then_die_later(order, at, seq):
    global CORRUPTED
    CORRUPTED = True
    write_frame(RESULT, seq, echo(order, at))


def lose_once(order, at, seq):
    """Dies of itself the first time only: alone it passes."""
    if not order["alone"]:
        die_139(order, at, seq)
    write_frame(RESULT, seq, echo(order, at))


def killed_once(order, at, seq):
    """Is killed from outside the first time only, in the worker's first child."""
    if N_CHILDREN == 1:
        die_9(order, at, seq)
    write_frame(RESULT, seq, echo(order, at))


def other_answer(order, at, seq):
    body = echo(order, at)
    with open(os.path.join(RESULTS, body["file"]), "r+b") as file:
        file.write(b"\x07")
    write_frame(RESULT, seq, body)


def kill_worker(order, at, seq):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(3600)


def good(order, at, seq):
    write_frame(RESULT, seq, echo(order, at))


KNOWN_KEYS = {"case", "folder", "prefix", "model", "outputs", "sets", "modes", "repeats", "dump"}
KNOWN_KEYS |= {"disable", "alone"}


def refuse(order, at, seq):
    """The outcome of a model that no engine runs."""
    body = echo(order, at)
    for run in body["runs"]:
        run |= {"outcome": "exception", "type": "FAIL", "message": "no such model"}
    write_frame(RESULT, seq, body)


def cannot_run(order):
    with open(os.path.join(SCRATCH, order["folder"], order["model"]), "rb") as file:
        data = file.read()
    return b"this is no model" in data or b"NoSuchOperator" in data


FAULTS = {f.__name__.replace("_", "-"): f for f in (
    silent, busy, busy_by_id, half_frame, half_frame_and_wait, huge_frame, garbage, not_json, double_reply,
    other_seq, other_kind, wrong_outputs, outside_file, linked_file, die_9, die_139, die_134,
    die_136, overflow, leave, slow, oom, flood, exception, fusion, picky, corrupt_then_die_later,
    lose_once, killed_once, other_answer, kill_worker, good,
)}  # fmt: skip


def run_case(seq, order):
    write_frame(STARTED, seq, {"pid": os.getpid()})
    for at, mode in enumerate(order["modes"]):
        if CORRUPTED:
            die_139(order, at, seq)
        if NAME == "strict-keys" and set(order) - KNOWN_KEYS:
            die_139(order, at, seq)
        if NAME != "runs-anything" and cannot_run(order):
            refuse(order, at, seq)
            continue
        options = mode["options"]
        fault = options.get("fault", NAME if NAME in FAULTS else "good")
        if "alone" in options and order["alone"] and N_CHILDREN > options["after"]:
            fault = options["alone"]
        FAULTS[fault](order, at, seq)


def run_batch(seq, order):
    n = 0
    while True:
        run_case(seq, order)
        n += 1
        if order["alone"] or n == BATCH:
            os._exit(0)
        kind, seq, order = read_frame()
        if kind != RUN:
            os._exit(0)


def run_in_child(seq, order):
    global N_CHILDREN
    N_CHILDREN += 1
    pid = os.fork()
    if pid == 0:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # a test that is killed leaves no busy child
        run_batch(seq, order)
    if NAME == "forgets-exited":
        os.wait4(pid, 0)
        return
    _, status, usage = os.wait4(pid, 0)
    grows = N_CHILDREN == 1 and NAME in ("grows", "grows-prepared")
    if grows:
        KEPT.append(b"x" * (64 << 20))
    write_frame(
        EXITED,
        seq,
        {
            "pid": pid,
            "code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
            "cpu_ns": 1,
            "peak_bytes": usage.ru_maxrss * 1024,
            "prepared": grows and NAME == "grows-prepared",
        },
    )


def is_first(what):
    """Of the workers that share a folder; a pool gives each its own, whose name is a number."""
    folder = os.environ["HOME"]
    if os.path.basename(folder)[1:].isdigit():
        return os.path.basename(folder) == "w0"
    path = os.path.join(folder, what)
    if os.path.exists(path):
        return False
    open(path, "w").close()
    return True


def hello():
    if NAME == "start-once" and not is_first("started"):
        sys.exit("it starts only once")
    if NAME == "start-second" and is_first("started"):
        sys.exit("not the first time")
    if NAME == "no-hello":
        sys.exit("cannot load the engine")
    if NAME == "error-hello":
        write_frame(ERROR, 0, {"type": "ImportError", "message": "ImportError: no engine here"})
        sys.exit(1)
    number = 999 if NAME == "wrong-version" else 1
    write_frame(
        HELLO,
        0,
        {"protocol": number, "name": "fake", "version": "1", "pid": os.getpid(), "tasks": 1},
    )


def main():
    global SCRATCH, RESULTS, BATCH
    hello()
    kind, _, body = read_frame()
    assert kind == WELCOME, kind
    if body["protocol"] != 1 and NAME != "any-welcome":
        sys.exit(70)
    SCRATCH, RESULTS, BATCH = body["scratch"], body["results"], body["batch"]
    while True:
        kind, seq, order = read_frame()
        if kind == RUN and BATCH:
            run_in_child(seq, order)
        elif kind == RUN:
            run_case(seq, order)
        elif not order.get("child") or NAME == "bye-is-bye":
            return


main()
