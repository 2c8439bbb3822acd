#!/usr/bin/env python3
"""Measures what `assay lint` finds of bugs in realistic training programs.

bench/lint/realistic/STYLE/ holds a right program of one or several files and bugs.json: each bug as edits of that
program, the rules ("family") that may rightly tell of it, and places near which a finding counts. A bug whose family
is empty is one that no rule covers. A hit has the right family, lies within 3 lines of a place (itself or a related
place), and the right twin is silent there; any other finding, on the bug or its twin, is false unless it is in the
style's "accepted" list.

  realistic.py ASSAY [--low] [--only STYLE[/BUG]] [-v]   one line a bug, then a JSON line with the totals
  realistic.py --run PYTHON [--path DIR]                 runs each twin and each bug for one epoch
  realistic.py --hash                                    the archive's SHA-256
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ARCHIVE = Path(__file__).parent / os.environ.get("ARCHIVE", "realistic")
NEAR = 3


def styles() -> list[Path]:
    return sorted(p for p in ARCHIVE.iterdir() if (p / "bugs.json").exists())


def archive_hash() -> str:
    h = hashlib.sha256()
    for path in sorted(p for p in ARCHIVE.rglob("*") if p.suffix in (".py", ".json") and "__pycache__" not in p.parts):
        h.update(str(path.relative_to(ARCHIVE)).encode() + b"\0" + path.read_bytes() + b"\0")
    return h.hexdigest()


def sources(style: Path) -> dict[str, str]:
    return {p.name: p.read_text() for p in sorted(style.glob("*.py"))}


def edited(files: dict[str, str], edits: list[dict], what: str) -> dict[str, str]:
    files = dict(files)
    for e in edits:
        if files[e["file"]].count(e["old"]) != 1:
            sys.exit(f"{what}: {e['old']!r} stands {files[e['file']].count(e['old'])} times in {e['file']}")
        files[e["file"]] = files[e["file"]].replace(e["old"], e["new"])
    return files


def line_of(files: dict[str, str], place: list[str], what: str) -> tuple[str, int]:
    name, text = place
    at = files[name].find(text)
    if at < 0:
        sys.exit(f"{what}: no {text!r} in {name}")
    return name, files[name][:at].count("\n") + 1


def write(files: dict[str, str], folder: Path) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)


def lint(assay: str, files: dict[str, str], low: bool) -> list[dict]:
    with tempfile.TemporaryDirectory() as tmp:
        write(files, Path(tmp))
        command = [assay, "lint", "--isolated", "--no-cache", "--output-format", "json", tmp]
        if low:
            command += ["--min-confidence", "low"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(done.stderr)
        return json.loads(done.stdout)


def places_of(finding: dict) -> list[tuple[str, int]]:
    rows = [(finding["filename"], finding["location"]["row"])]
    for r in finding.get("related", []):
        rows.append((r.get("filename") or finding["filename"], r["location"]["row"]))
    return [(os.path.basename(name), row) for name, row in rows]


def key(finding: dict) -> tuple[str, str, str]:
    return (finding["code"], os.path.basename(finding["filename"]), finding["message"])


def measure(assay: str, low: bool, only: str, verbose: bool) -> None:
    n = {"bugs": 0, "covered": 0, "hits": 0, "hits_covered": 0, "false": 0, "twins": 0, "false_twins": 0, "several": 0}
    twins: dict[tuple, list[dict]] = {}
    for style in styles():
        base = sources(style)
        for bug in json.loads((style / "bugs.json").read_text()):
            name = f"{style.name}/{bug['id']}"
            if only and not name.startswith(only):
                continue
            right = edited(base, bug.get("twin", []), name)
            wrong = edited(base, bug["edits"], name)
            where = [line_of(wrong, p, name) for p in [bug["place"], *bug.get("places", [])]]
            id_right = tuple(sorted(right.items()))
            if id_right not in twins:
                twins[id_right] = lint(assay, right, low)
                n["twins"] += 1
                n["false_twins"] += bool(twins[id_right])
                for f in twins[id_right]:
                    print(f"  twin of {name}: {key(f)}")
            known = {key(f) for f in twins[id_right]}
            hit = False
            others = []
            for f in lint(assay, wrong, low):
                near = any(a == x and abs(b - y) <= NEAR for a, b in places_of(f) for x, y in where)
                if f["code"] in bug["family"] and near and key(f) not in known:
                    hit = True
                elif key(f) not in known and not (near and f["code"] in bug.get("also", [])):
                    others.append(key(f))
            n["bugs"] += 1
            n["several"] += len(base) > 1
            n["covered"] += bool(bug["family"])
            n["hits"] += hit
            n["hits_covered"] += hit and bool(bug["family"])
            n["false"] += len(others)
            mark = "hit " if hit else "miss" if bug["family"] else "none"
            print(f"{mark} {name} {'/'.join(bug['family'])}")
            for o in others:
                print(f"  other finding: {o}")
    print(json.dumps({"bench": "realistic", "at": "low" if low else "default", **n, "archive": archive_hash()[:16]}))


def run_all(python: str, path: str, only: str) -> None:
    n_right = n_wrong = 0
    for style in styles():
        base = sources(style)
        main = next((f for f, text in base.items() if "__main__" in text), next(iter(base)))
        programs = {"twin": base}
        for bug in json.loads((style / "bugs.json").read_text()):
            programs[bug["id"]] = edited(base, bug["edits"], bug["id"])
        for name, files in programs.items():
            if only and not f"{style.name}/{name}".startswith(only):
                continue
            with tempfile.TemporaryDirectory() as tmp:
                write(files, Path(tmp))
                environment = {**os.environ, "PYTHONPATH": path, "TMPDIR": tmp, "OMP_NUM_THREADS": "1"}
                done = subprocess.run([python, main], cwd=tmp, env=environment, capture_output=True, text=True)
                ok = done.returncode == 0
                n_right += ok
                n_wrong += not ok
                if not ok:
                    print(f"{style.name}/{name}: {done.stderr.strip().splitlines()[-1:]}")
    print(f"{n_right} passed, {n_wrong} failed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assay", nargs="?")
    parser.add_argument("--low", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--run", metavar="PYTHON")
    parser.add_argument("--path", default="")
    parser.add_argument("--hash", action="store_true")
    parser.add_argument("-v", action="store_true")
    o = parser.parse_args()
    if o.hash:
        print(archive_hash())
    elif o.run:
        run_all(o.run, o.path, o.only)
    elif o.assay:
        measure(o.assay, o.low, o.only, o.v)
    else:
        parser.error("the program to measure is missing")


if __name__ == "__main__":
    main()
