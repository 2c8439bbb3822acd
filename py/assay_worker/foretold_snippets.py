"""Calls of a framework's public API that programs make, as data.

python -I -B .../foretold_snippets.py FRAMEWORK ORDER     one line of JSON per snippet, in order

ORDER: {"seconds", "snippets": [{"id", "code"}, ...], "names": [public name of a function, method or class, ...]}. A line:

    {"id", "end": "done" | "raised TYPE" | "timeout" | "signal N" | "exit N", "calls": [call of foretold.py, with "op", ...],
     "unreadable": calls whose arguments are no data}

Each snippet runs in a forked child, with every call replaced by one that notes what it calls and then calls it; torch.compile does
nothing there. A call is noted before it is made, so that one that dies is told too, and each only once. Calls that its framework
makes inside are not seen, nor those of code that is read from its source.
"""

from __future__ import annotations

import ast
import contextlib
import json
import linecache
import logging
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any, TextIO

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from assay_worker import examples, foretold_frameworks, foretold_seeds  # noqa: E402
from assay_worker.foretold_seeds import Call, is_larger  # noqa: E402
from assay_worker.records import op_of  # noqa: E402

CALLS_MAX = 50  # of a snippet
FILE = "<snippet>"
# What these do depends on the frame that calls them.
LEAVE = frozenset({"super", "locals", "globals", "vars", "dir", "eval", "exec"})


class Recorder(foretold_seeds.Recorder):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in LEAVE:
            self.generic_visit(node)
            return node
        return super().visit_Call(node)


class Names:
    """Public symbols by the objects that they name; TensorFlow's begin with "tf."."""

    def __init__(self, framework: foretold_frameworks.Framework, names: list[str]) -> None:
        self.symbols: dict[int, str] = {}
        self.kept: list[Any] = []  # so that no id is used twice
        self.methods: dict[str, str] = {}
        for name in names:
            name = "tf." + name.removeprefix("tensorflow.") if name.startswith("tensorflow.") else name
            with contextlib.suppress(Exception):
                found = framework.find(name)
                self.symbols.setdefault(id(found), name)
                self.kept.append(found)
            if name.startswith(("torch.Tensor.", "tf.Tensor.")):
                self.methods[name.rsplit(".", 1)[1]] = name

    def of(self, f: Any) -> str:
        return self.symbols.get(id(f), "")


class Seen:
    """Notes calls of public symbols."""

    def __init__(self, framework: foretold_frameworks.Framework, names: Names, out: TextIO) -> None:
        self.framework = framework
        self.names = names
        self.out = out
        self.told: set[str] = set()
        self.made: dict[int, tuple[Any, str, Call]] = {}  # living objects, with their constructor's call

    def call(self, args: Any, keys: dict[str, Any]) -> Call:
        told = self.framework.told
        return Call([told(a) for a in args], {k: told(v) for k, v in keys.items()})

    def note(self, symbol: str, call: Call) -> None:
        if is_larger(call):
            raise foretold_frameworks.Unreadable("size")
        row = {"symbol": symbol, "op": op_of(symbol), "args": call.args, "keys": call.keys}
        self.write(row if call.make is None else row | {"make": call.make})

    def write(self, row: dict[str, Any]) -> None:
        text = json.dumps(row, allow_nan=False)
        if text not in self.told and len(self.told) < CALLS_MAX:
            self.told.add(text)
            self.out.write(text + "\n")
            self.out.flush()

    def look(self, f: Any, args: Any, keys: dict[str, Any]) -> Call | None:
        """Notes the call if it is one of a public symbol; gives the call of a constructor."""
        symbol = self.names.of(f)
        if isinstance(f, type):
            return self.call(args, keys) if symbol else None
        owner = getattr(f, "__self__", None)
        if symbol:
            self.note(symbol, self.call(args, keys))
        elif id(f) in self.made:
            _, symbol, made = self.made[id(f)]
            if not keys:
                self.note(symbol, Call(made.args + self.call(args, {}).args, made.keys, len(made.args)))
        elif self.framework.is_tensor(owner) and getattr(f, "__name__", "") in self.names.methods:
            self.note(self.names.methods[f.__name__], self.call((owner, *args), keys))
        return None

    def __call__(self, f: Callable[..., Any], /, *args: Any, **keys: Any) -> Any:
        made = None
        try:
            made = self.look(f, args, keys)
        except foretold_frameworks.Unreadable:
            self.write({"unreadable": self.names.of(f)})
        except Exception:  # noqa: BLE001 - values that refuse to be looked at are the snippet's own
            self.write({"unreadable": ""})
        result = f(*args, **keys)
        if made is not None:
            self.made[id(result)] = (result, self.names.of(f), made)
        return result


def child(framework: foretold_frameworks.Framework, names: Names, code: str, pipe: int) -> None:
    """Runs a snippet and writes its calls, then {"end"}; never returns."""
    with os.fdopen(pipe, "w", encoding="utf-8") as out:
        framework.seed()
        linecache.cache[FILE] = (len(code), None, code.splitlines(True), FILE)
        end = "done"
        try:
            tree = ast.fix_missing_locations(Recorder().visit(ast.parse(code)))
            space = {"__name__": "__main__", "_seen": Seen(framework, names, out)}
            exec(compile(tree, FILE, "exec"), space)  # noqa: S102 - that is the snippet
        except BaseException as e:  # noqa: BLE001 - what a snippet raises is a result
            end = f"raised {type(e).__name__}"
        out.write(json.dumps({"end": end}) + "\n")
    os._exit(0)


def run(
    framework: foretold_frameworks.Framework, names: Names, snippet: dict[str, str], seconds: float
) -> dict[str, Any]:
    text, end = examples.forked(lambda pipe: child(framework, names, snippet["code"], pipe), seconds)
    rows = [json.loads(line) for line in text.decode().split("\n")[:-1]]
    if end == "done":
        end = "exit 0"  # unless it said how it ended
    return {
        "id": snippet["id"],
        "end": next((r["end"] for r in rows if "end" in r), end),
        "calls": [r for r in rows if "symbol" in r],
        "unreadable": sum("unreadable" in r for r in rows),
    }


def main() -> int:
    name, path = sys.argv[1:3]
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    os.environ["TORCHDYNAMO_DISABLE"] = "1"
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with open(path, encoding="utf-8") as file:
        order = json.load(file)
    framework = foretold_frameworks.OPENED[name]()
    names = Names(framework, order["names"])
    with answer:
        for snippet in order["snippets"]:
            told = run(framework, names, snippet, float(order.get("seconds", 10)))
            answer.write(json.dumps(told) + "\n")
            answer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
