#!/usr/bin/env python3
"""Runs a command once for each way to break one place of a file, and prints what it says.

    breaks.py FILE COMMAND...        FILE is restored at the end

JSON (.json, .ipynb): each member of an object is removed, and each value is replaced by one of another kind; of a list the
first item and the last are broken. Other files: cut off at some 40 places, and a byte changed at as many. A line each: the
place, what stands there, the command's exit code unless 0, the last line that it prints. Successive ways at which it
says the same are one line.
"""

import copy
import json
import subprocess
import sys

OTHERS = ("text", 7, [], None)
LONGEST = 160
N_BYTES = 40  # places of a file that is not JSON


def places(value, path=()):
    """All places of a document as lists of keys, the outer ones first."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for at in sorted({0, len(value) - 1} if value else ()):
            yield from places(value[at], (*path, at))


def broken_json(text):
    document = json.loads(text)
    for path in places(document):
        for other in ("removed", *OTHERS):
            whole = copy.deepcopy(document)
            holder = whole
            for key in path[:-1]:
                holder = holder[key]
            if other == "removed":
                del holder[path[-1]]
            elif type(holder[path[-1]]) is type(other):
                continue
            else:
                holder[path[-1]] = other
            name = other if other == "removed" else json.dumps(other)
            yield ".".join(map(str, path)), name, json.dumps(whole).encode()


def broken_bytes(data):
    for at in range(0, len(data), max(1, len(data) // N_BYTES)):
        yield str(at), "cut off", data[:at]
        yield str(at), "changed", data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1:]


def ways(names):
    """[(place, way)] as text: the place is not repeated, of many only the first and the last are named."""
    first, last = names[0], names[-1]
    if first[0] == last[0]:
        return f"{first[0]} {', '.join(way for _, way in names)}"
    return f"{first[0]} {first[1]} .. {last[0]} {last[1]}"


def main() -> int:
    file, command = sys.argv[1], sys.argv[2:]
    with open(file, "rb") as f:
        before = f.read()
    said, names = None, []
    for place, way, data in (broken_json if file.endswith((".json", ".ipynb")) else broken_bytes)(before):
        with open(file, "wb") as f:
            f.write(data)
        run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        lines = run.stdout.decode(errors="replace").strip().splitlines() or [""]
        now = f"[{run.returncode}] " * (run.returncode != 0) + lines[-1][:LONGEST]
        if now != said and names:
            print(f"{ways(names)}: {said}")
            names = []
        said = now
        names.append((place, way))
    if names:
        print(f"{ways(names)}: {said}")
    with open(file, "wb") as f:
        f.write(before)
    return 0


if __name__ == "__main__":
    sys.exit(main())
