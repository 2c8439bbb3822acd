"""Checks that every command of commands.def prints JSON with --json, on success and on failure.

Arguments: the program, the root of the checkout, a folder that holds good.onnx. A command without a row here fails the test.
"""

import json
import pathlib
import re
import subprocess
import sys

# Commands without a row: they speak another protocol on stdout, or print nothing.
NO_RESULTS = {"lsp", "worker", "man"}
# Covered by lint.sh.
ELSEWHERE = {"lint", "rule"}


def run(program: str, folder: pathlib.Path, arguments: list[str]) -> tuple[int, str]:
    """The exit code and stdout of one command with --json, run in the folder."""
    done = subprocess.run([program, *arguments, "--json"], cwd=folder, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout


def values(text: str) -> list:
    """The JSON values of a text: one, or one per line."""
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def a_bug(program: str, folder: pathlib.Path) -> list[str]:
    """Folder and ids of the first of several campaigns that finds two bugs."""
    for cases in ("100", "400", "1600"):
        run(program, folder, ["hunt", "--cases", cases, "--out", f"h{cases}", "--target", "ort", "--fail-on", "never"])
        ids = [bug["id"] for bug in values(run(program, folder, ["bugs", "--out", f"h{cases}"])[1])[0]]
        if len(ids) >= 2:
            return [f"h{cases}", *ids]
    raise SystemExit("no two bugs in 1,600 cases: the rows of show, replay, ignore and merge cannot run")


def ort_of_the_tests() -> str:
    """The installed release, so that the test installs none."""
    root = pathlib.Path(__file__).resolve().parents[2]
    return re.search(r"^onnxruntime==(\S+)", (root / "tools/requirements.txt").read_text(), re.M)[1]


def rows(out: str, a: str, b: str) -> list[tuple[list[str], set[int], list[str]]]:
    """(arguments, exit codes, keys that the last JSON value must have)."""
    at = ["--out", out]
    return [
        (["hunt", "--cases", "5", "--out", "small", "--target", "ort", "--fail-on", "never"], {0}, ["event", "reason", "cases", "bugs", "exit_code", "folder", "valid", "illegal", "no_op", "queue"]),
        (["hunt", "--oracle", "foo"], {64}, ["error", "exit_code"]),
        (["run", "good.onnx", "--target", "ort"], {0}, ["path", "case", "observations", "verdicts"]),
        (["run", "absent.onnx"], {65}, ["error", "exit_code"]),
        (["eval", "good.onnx"], {0}, ["values"]),
        (["eval", "garbage.onnx"], {65}, ["error", "exit_code"]),
        (["check", "good.onnx"], {0}, ["valid", "opset", "values"]),
        (["check", "garbage.onnx"], {65}, ["valid", "error", "exit_code"]),
        (["ops"], {0}, ["name", "versions", "dtypes", "attributes", "mutations"]),
        (["conform", "node"], {0}, ["case", "outcome"]),
        (["conform", "absent"], {65}, ["error"]),
        (["cut", "good.onnx", "--at", "y", "--out", "json-cut"], {0}, ["nodes_before", "nodes", "inputs", "folder"]),
        (["cut", "good.onnx"], {64}, ["error", "exit_code"]),
        (["mutate", "lenet5", "-n", "1", "--out", "json-mutants"], {0}, ["emitted", "edits"]),
        (["bugs", *at], {0}, ["id", "title", "state"]),
        (["bugs", "nosuch", *at], {64}, ["error"]),
        (["show", a, *at], {0}, ["id", "title"]),
        (["show", "nosuch", *at], {64}, ["error"]),
        (["replay", a, *at], {0, 1}, ["state", "k", "n"]),
        (["versions", a, ort_of_the_tests(), *at], {0, 1, 2}, ["id", "versions", "first_bad", "fixed_in"]),
        (["versions", "nosuch", *at], {64}, ["error"]),
        (["reduce", a, *at, "--target", "ort/all,ort/off"], {0, 65}, ["exit_code|bugs"]),
        (["ignore", a, *at, "--reason", "a test"], {0}, ["id", "state", "reason"]),
        (["merge", a, b, *at], {0}, ["id", "state", "merged_into"]),
        (["report", b, *at], {0}, ["id"]),
        (["prune", *at], {0}, ["folders", "bytes"]),
        (["emit", "good.onnx"], {0}, ["framework", "source"]),
        (["emit", "good.onnx", "good.onnx"], {0}, ["framework", "whole"]),
        (["emit", "absent.onnx"], {65}, ["error", "exit_code"]),
        (["align", "list"], {0}, ["op", "a", "b", "status", "adapter", "evidence"]),
        (["align", "show"], {64}, ["error", "exit_code"]),
        (["docs", "check", "mxnet"], {64}, ["error", "exit_code"]),
        (["docs"], {64}, ["error", "exit_code"]),
        (["decompose", "program.py"], {0}, ["part", "symbol"]),
        (["decompose", "absent.py"], {65}, ["error", "exit_code"]),
        (["corpus", "list"], {0}, ["framework", "url"]),
        (["corpus", "mirrors"], {0}, ["op", "a", "b", "issue_a", "issue_b"]),
        (["llm", "usage"], {0}, ["requests", "tokens_in", "money"]),
        (["llm", "ping"], {64}, ["error", "exit_code"]),
        (["targets"], {0}, ["engine", "modes"]),
        (["doctor"], {0, 75}, ["check", "state", "advice"]),
    ]


def judge(text: str, keys: list[str]) -> str:
    """What is wrong with the output; empty: nothing."""
    try:
        found = values(text)
    except json.JSONDecodeError as error:
        return f"no JSON: {error}"
    last = found[-1] if found else None
    while isinstance(last, list) and last:
        last = last[-1]
    if not isinstance(last, dict):
        return "no object"
    missing = [key for key in keys if not any(part in last for part in key.split("|"))]
    return f"without {missing}" if missing else ""


def main() -> int:
    """Runs the rows; prints what fails."""
    program, root, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    commands = set(re.findall(r"^COMMAND\((\w+)\)", (root / "src/cli/commands.def").read_text(), re.M))
    (folder / "program.py").write_text("import torch\n\nprint(torch.compile(torch.nn.ReLU())(torch.ones(2)))\n", encoding="utf-8")
    table = rows(*a_bug(program, folder)[:3])
    failures = [f"{name}: no row" for name in sorted(commands - NO_RESULTS - ELSEWHERE - {row[0][0] for row in table})]
    for arguments, codes, keys in table:
        code, text = run(program, folder, arguments)
        wrong = judge(text, keys) or ("" if code in codes else f"exit {code}")
        if wrong:
            failures.append(f"{' '.join(arguments)}: {wrong}: {text[:200]!r}")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
