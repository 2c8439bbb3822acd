"""Makes costly files and runs `assay lint` on them under limits of memory and processor time."""

import resource
import subprocess
import sys
from pathlib import Path

MEMORY_BYTES = 1 << 30
CPU_SECONDS = 30  # enough for a loaded machine and a program with sanitizers
HEAD = "import torch\nfrom torch import nn\nm = nn.Linear(2, 2)\nopt = torch.optim.SGD(m.parameters(), lr=.1)\n"
PLAIN = "import torch\nx = torch.autograd.Variable(torch.zeros(3))\n"


def lines(n: int, text: str) -> str:
    """The text n times, with `@` replaced by its number and `%` by the next number, cyclically."""
    return "".join(text.replace("@", str(i)).replace("%", str((i + 1) % n)) for i in range(n))


SHAPES = {
    "lambdas": "y = " + "lambda x: " * 90000 + "x\n",
    "lambdas_with_tail": "y = " + "lambda x: (" * 40000 + "x" + ", x)" * 40000 + "\n",
    "comprehensions": "y = " + "[" * 3000 + "x" + " for x in x]" * 3000 + "\n",
    "functions_of_comprehensions": lines(
        180, "def f@(x):\n    return " + "[" * 400 + "x" + " for x in x]" * 400 + "\n"
    ),
    "ifs_in_a_loop": "def f(x):\n    for i in x:\n"
    + lines(9000, "        if x[@]:\n            l = m(x).sum()\n        else:\n            l = x.detach()\n")
    + "        l.backward()\n        opt.step()\n",
    "ring_of_calls": lines(9000, "def f@(a):\n    m(a).sum().backward()\n    return f%(a)\n"),
    "training_steps": "def f(x, y):\n    for i in x:\n"
    + lines(
        6500,
        "        opt.zero_grad()\n        l = nn.functional.cross_entropy(m(x[@]), y)\n"
        "        l.backward()\n        opt.step()\n",
    ),
    "calls_of_one_function": "def f(x):\n    return m(x)\n" + lines(30000, "f(m(x)).backward()\n"),
}
OVER_BUDGET = {"lambdas", "training_steps"}


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))


def run(assay: str, folder: Path, name: str) -> str:
    """What is wrong; empty: nothing."""
    costly, plain = folder / f"{name}.py", folder / "plain.py"
    costly.write_text(HEAD + SHAPES[name])
    plain.write_text(PLAIN)
    command = [assay, "lint", "--isolated", "--no-cache", "--select", "SB", "--min-confidence", "low", "-j", "1"]
    command += ["--output-format", "concise", str(costly), str(plain)]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit, check=False)
    if done.returncode not in (0, 1):
        return f"exit {done.returncode}: {done.stderr[:200]}"
    if not any("plain.py" in line and "SB091" in line for line in done.stdout.splitlines()):
        return "the file beside it was not checked"
    of_costly = [line for line in done.stdout.splitlines() if costly.name in line]
    is_over = any("SB902" in line for line in of_costly)
    if is_over and len(of_costly) != 1:
        return f"SB902 is not alone: {of_costly[:3]}"
    if name in OVER_BUDGET and not is_over:
        return "no SB902"
    return ""


def main() -> int:
    """Runs every shape of file; returns 1 if one went wrong."""
    assay, folder = sys.argv[1], Path(sys.argv[2])
    wrong = {name: text for name in SHAPES if (text := run(assay, folder, name))}
    for name, text in wrong.items():
        print(f"FAILED {name}: {text}")
    print(f"lint_bounds: {len(SHAPES) - len(wrong)} of {len(SHAPES)} as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
