"""Safe fixes keep what a program does: each snippet runs before and after with torch and prints the same; a fix changes
the lines it names and nothing else, leaves valid Python, and a second run has nothing left to do."""

import ast
import difflib
import json
import os
import runpy
import subprocess
import sys
import tempfile
import traceback

import torch  # noqa: F401 - for the children

HEAD = "import torch\nfrom torch.autograd import Variable\n\n\ndef show(x):\n    print(x, x.dtype, x.requires_grad, type(x.grad_fn), type(x))\n\n\ntorch.manual_seed(7)\n"

# name, code below HEAD, number of lines that the fix may change
SNIPPETS = [
    ("zeros", "show(Variable(torch.zeros(2, 3)))\n", 1),
    ("named argument", "show(Variable(data=torch.ones(2)))\n", 1),
    ("random", "show(Variable(torch.randn(4)))\nshow(Variable(torch.rand(2, dtype=torch.float64)))\n", 2),
    ("integers", "show(Variable(torch.arange(5)))\nshow(Variable(torch.randint(3, (4,))))\n", 2),
    ("like another", "y = torch.ones(2, requires_grad=True)\nshow(Variable(torch.zeros_like(y)))\n", 1),
    ("from NumPy", "import numpy\n\nshow(Variable(torch.from_numpy(numpy.arange(3.0))))\n", 1),
    ("several lines", "x = Variable(\n    torch.full((2,),  # of sevens\n               7.0)\n)\nshow(x)\n", 3),
    ("inside an expression", "w = torch.ones(3, requires_grad=True)\nshow((Variable(torch.ones(3)) * w).sum())\n", 1),
    ("nested", "show(Variable(Variable(torch.eye(2))))\n", 1),
    ("in a call", "show(torch.cat([Variable(torch.zeros(1)), Variable(torch.ones(1))]))\n", 1),
    ("in a backward pass", "w = torch.ones(3, requires_grad=True)\n(Variable(torch.ones(3)) * w).sum().backward()\nshow(w.grad)\n", 1),
    ("written to", "x = Variable(torch.zeros(2))\nx.data[0] = 5\nx += 1\nshow(x)\n", 1),
    ("asked for a gradient later", "x = Variable(torch.zeros(2))\nx.requires_grad_()\nx.sum().backward()\nshow(x.grad)\n", 1),
    ("not safe: gradient asked for", "show(Variable(torch.zeros(2), requires_grad=True))\n", 0),
    ("not safe: a value not known", "y = torch.ones(2, requires_grad=True) * 2\nshow(Variable(y))\n", 0),
    ("an operator in it", "show(-Variable(torch.ones(2) if torch.ones(1) > 0 else torch.zeros(2)).sum() ** 2)\n", 0),
    ("not safe: a comment would go", "x = Variable(\n    torch.ones(2)  # of ones\n)\nshow(x)\n", 0),
    ("another tool's code", "show(torch.zeros(1))  # noqa: SB091, E501\n", 1),
    ("a line of its own", "# assay: ignore[SB091]\nshow(torch.zeros(1))\n", 1),
    ("unused suppression", "show(torch.zeros(1))  # assay: ignore[SB091]\n", 1),
    ("one of two suppressions", "show(Variable(torch.ones(1, requires_grad=True) * 1))  # noqa: SB091, SB032\n", 1),
]

# Unsafe fixes that only cut the graph keep the values; name, code below HEAD, number of lines changed
UNSAFE = [
    ("a sum", "a = torch.ones(2)\nshow(Variable(a + a * 2))\n", 1),
    ("a sign before a power", "a = torch.ones(2) * 3\nshow(-Variable(-a) ** 2)\n", 1),
    ("a condition", "a = torch.ones(2)\nshow(Variable(a if a.sum() > 5 else -a).sum())\n", 1),
    ("lines that brackets held", "a = torch.ones(2)\nx = Variable(a\n             + a)\nshow(x)\n", 2),
    (
        "eval without no_grad",
        "def test(loader):\n    net = torch.nn.Linear(2, 2)\n    net.eval()\n    n = 0\n    for x, y in loader:\n        p = net(\n            x)\n"
        "        n += (p.argmax(1) == y).sum().item()\n    print(n)\n\n\ntest([(torch.ones(1, 2), torch.ones(1))])\n",
        2,
    ),
]


def run(path):
    """What a program prints, in a child of this interpreter: importing torch is nearly all that such a program costs."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        pid = os.fork()
        if pid == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            code = 0
            try:
                runpy.run_path(path, run_name="__main__")
            except BaseException:  # whatever it raises, the folders of the parent stay
                traceback.print_exc()
                code = 1
            sys.stdout.flush()
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        out.seek(0), err.seek(0)
        return code, out.read().decode(), err.read().decode()


def changed_lines(before, after):
    return sum(1 for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line.startswith("- "))


def main():
    assay, failed = sys.argv[1], []
    with tempfile.TemporaryDirectory() as folder:
        for name, code, n_lines, unsafe in [(*s, []) for s in SNIPPETS] + [(*s, ["--unsafe-fixes"]) for s in UNSAFE]:
            path = os.path.join(folder, "program.py")
            before = HEAD + code
            with open(path, "w") as file:
                file.write(before)
            result = run(path)
            if result[0]:
                failed.append(f"{name}: the snippet itself fails: {result[2][-300:]}")
                continue
            command = [assay, "lint", "--isolated", "--no-cache", "--fix", *unsafe, "--output-format", "json", path]
            fix = subprocess.run(command, capture_output=True, text=True)
            after = open(path).read()
            again = subprocess.run(command, capture_output=True, text=True)
            ast.parse(after)
            json.loads(fix.stdout)
            if run(path) != result:
                failed.append(f"{name}: does something else after the fix:\n{after}")
            if changed_lines(before, after) != n_lines:
                failed.append(f"{name}: {changed_lines(before, after)} lines changed, not {n_lines}:\n{after}")
            if open(path).read() != after or again.stdout != fix.stdout:
                failed.append(f"{name}: a second run changes more")
    for line in failed:
        print("lint_fixes.py:", line)
    print(f"{len(SNIPPETS) + len(UNSAFE) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
