"""Candidate calls for seeds: a framework's own samples, documented examples, and argument tuples of the alignment.

python -I -B .../foretold_seeds.py FRAMEWORK RECORDS ALIGN     one line of JSON per seed call that works

RECORDS: the framework's records (records.py). ALIGN: a file of {"use": [prefix, ...], "leave": [pattern, ...], "tuples": {op: [text,
...]}, "generic": [text, ...]} out of share/align and share/pairs, whose tuples "f[2,3]:pos, 1" are read here. Only shapes, types and
numbers are taken from samples and examples. Each candidate is run by foretold.py, in forked children; of a name the first that
works and the one with most arguments are kept. Its "leaves" are those of the run.
"""

from __future__ import annotations

import ast
import contextlib
import fnmatch
import json
import logging
import os
import re
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import numpy as np  # noqa: E402

from assay_worker import foretold_frameworks  # noqa: E402
from assay_worker.foretold import Runner  # noqa: E402
from assay_worker.records import op_of  # noqa: E402

ELEMENTS_MAX = 128  # of all tensors of a seed
ELEMENTS_MAX_ONNX = 512
SEEDS_OF_OP = 3
SAMPLES_SEEN = 100
PORTION = 8  # candidates of a name that are tried at a time
PORTIONS = 5
SECONDS = 4  # of a candidate

Call = tuple[list[Any], dict[str, Any]]


def n_elements(value: Any) -> int:
    """Of a value that was told."""
    if isinstance(value, dict):
        return max(1, len(value["tensor"]["values"])) if "tensor" in value else sum(map(n_elements, value.get("tuple", ())))
    return sum(map(n_elements, value)) if isinstance(value, list) else 0


# Tuples -------------------------------------------------------------------------------------------

TENSOR = re.compile(r"(?<![\w'])([fdhlibuycz])\[([\d, ]*)\](?::(\w+))?")
DTYPES = {"f": "float32", "d": "float64", "h": "float16", "l": "int64", "i": "int32", "u": "uint8", "y": "int8"}
DTYPES |= {"b": "bool", "c": "complex64", "z": "complex128"}


def plain(dims: list[int], whole: bool) -> Any:
    n = int(np.prod(dims, dtype=np.int64))
    values = np.sin(np.arange(n) * 1.7 + 0.4) * 2
    return (np.round(values * 2) if whole else np.round(values, 3)).reshape(dims)


def spd(x: Any) -> Any:
    return x @ np.swapaxes(x, -1, -2) + 3 * np.eye(x.shape[-1])


KINDS = {
    "pos": lambda x: np.abs(x) + 0.5,
    "neg": lambda x: -np.abs(x) - 1,
    "half": lambda x: np.round(x) + 0.5,
    "whole": lambda x: np.abs(np.round(x)) + 1,
    "unit": lambda x: np.abs(x) / 2.5,
    "prob": lambda x: (np.abs(x) + 0.1) / (np.abs(x) + 0.1).sum(-1, keepdims=True),
    "gt1": lambda x: np.abs(x) + 1.5,
    "sorted": lambda x: np.sort(x, -1),
    "ties": np.round,
    "zero": lambda x: x * 0,
    "one": lambda x: x * 0 + 1,
    "big": lambda x: x * 100,
    "spd": spd,
    "sym": lambda x: x + np.swapaxes(x, -1, -2) if x.shape[-1] == x.shape[-2] else x,
    "lower": np.tril,
}


def tensor_of(letter: str, dims: str, kind: str | None) -> dict[str, Any]:
    shape = [int(d) for d in dims.split(",") if d.strip()]
    dtype = DTYPES[letter]
    x = plain(shape, letter in "liuy")
    if kind and kind.startswith("idx"):
        x = np.arange(x.size).reshape(shape) % int(kind[3:])
    elif kind in KINDS:
        x = KINDS[kind](x)
    if letter == "u":
        x = np.abs(x)
    values = np.asarray(x).astype(dtype).flatten().tolist()
    return {"tensor": {"dtype": dtype, "shape": shape, "values": [foretold_frameworks.number(v) for v in values]}}


def literal(node: ast.expr, tensors: list[Any]) -> Any:
    if isinstance(node, ast.Name) and node.id.startswith("t_"):
        return tensors[int(node.id[2:])]
    if isinstance(node, ast.List):
        return [literal(v, tensors) for v in node.elts]
    if isinstance(node, ast.Tuple):
        return {"tuple": [literal(v, tensors) for v in node.elts]}
    value = ast.literal_eval(node)
    return foretold_frameworks.number(value) if isinstance(value, float) else value


def tuple_of(text: str) -> Call | None:
    """Arguments of "f[2,3]:pos, 1, axis=0"; None: another form."""
    tensors: list[Any] = []

    def take(found: re.Match[str]) -> str:
        tensors.append(tensor_of(found[1], found[2], found[3]))
        return f"t_{len(tensors) - 1}"

    try:
        call = ast.parse(f"f({TENSOR.sub(take, text)})", mode="eval").body
        assert isinstance(call, ast.Call)
        return [literal(a, tensors) for a in call.args], {
            str(k.arg): literal(k.value, tensors) for k in call.keywords
        }
    except (SyntaxError, ValueError):
        return None


# Documented examples --------------------------------------------------------------------------------


class Recorder(ast.NodeTransformer):
    """Replaces each call `f(...)` by `_seen(f, ...)`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("_seen", ast.Load()), [node.func, *node.args], node.keywords)


def statements_of(doc: str) -> str:
    found = (re.match(r"\s*(?:>>>|\.\.\.) ?(.*)", line) for line in doc.splitlines())
    return "\n".join(match[1] for match in found if match)


def documented(framework: foretold_frameworks.Framework, doc: str, target: Any, names: dict[str, Any]) -> list[Call]:
    """Arguments with which the document's examples call `target`."""
    calls: list[Call] = []

    def seen(f: Any, *args: Any, **keys: Any) -> Any:
        if f is target:
            with contextlib.suppress(foretold_frameworks.Unreadable):
                calls.append(([framework.told(a) for a in args], {k: framework.told(v) for k, v in keys.items()}))
        return f(*args, **keys)

    space = dict(names) | {"_seen": seen, "np": np}
    with contextlib.suppress(Exception):
        for statement in ast.parse(statements_of(doc)).body:
            tree = ast.Module([Recorder().visit(statement)], [])
            with contextlib.suppress(Exception):
                exec(compile(ast.fix_missing_locations(tree), "example", "exec"), space)  # noqa: S102
    return calls


# Samples of the framework ---------------------------------------------------------------------------


def torch_operators() -> list[Any]:
    """The operators that torch describes for its own tests. Importing them needs a stand-in for expecttest."""
    test_package = types.ModuleType("expecttest")
    test_package.TestCase = type("TestCase", (), {})  # type: ignore[attr-defined]
    sys.modules.setdefault("expecttest", test_package)
    from torch.testing._internal.common_methods_invocations import op_db

    return list(op_db)


def torch_names(framework: Any, info: Any) -> list[str]:
    """Public names by which the operator can be called with the arguments of its samples."""
    found = []
    for name in [info.name.removeprefix("_refs."), *(a.name for a in info.aliases)]:
        with contextlib.suppress(AttributeError):
            if callable(framework.find(f"torch.{name}")):
                found.append(f"torch.{name}")
        last = name.rsplit(".", 1)[-1]
        for method in (last, last + "_"):
            variant = info.inplace_variant if method.endswith("_") else info.method_variant
            if variant is not None and hasattr(framework.torch.Tensor, method):
                found.append(f"torch.Tensor.{method}")
    return list(dict.fromkeys(found))


def torch_samples(framework: Any, info: Any) -> list[Call]:
    """Small samples of the first dtype that has any, those with most arguments first."""
    kept: list[Call] = []
    torch = framework.torch
    for dtype in (torch.float32, torch.int64, torch.bool, torch.complex64):
        if not info.supports_dtype(dtype, "cpu"):
            continue
        torch.manual_seed(0)
        with contextlib.suppress(Exception):
            for i, s in enumerate(info.sample_inputs("cpu", dtype)):
                if i >= SAMPLES_SEEN:
                    break
                with contextlib.suppress(foretold_frameworks.Unreadable):
                    args = [framework.told(a) for a in (s.input, *s.args)]
                    kept.append((args, {k: framework.told(v) for k, v in s.kwargs.items()}))
        if kept:
            break
    kept.sort(key=lambda k: -(len(k[0]) + len(k[1])))
    return kept


def onnx_samples(framework: Any) -> Iterator[tuple[str, Call]]:
    """The node tests of the standard that have one node of its default domain."""
    from onnx.backend.test.case.node import collect_testcases

    onnx = framework.onnx
    for test in collect_testcases(None):
        nodes = test.model.graph.node if test.model else []
        if len(nodes) != 1 or nodes[0].domain or not test.data_sets:
            continue
        given = dict(zip((i.name for i in test.model.graph.input), test.data_sets[0][0], strict=False))
        with contextlib.suppress(foretold_frameworks.Unreadable, TypeError):
            args = [framework.told(given[n]) if n else None for n in nodes[0].input]
            keys = {}
            for a in nodes[0].attribute:
                value = onnx.helper.get_attribute_value(a)
                value = value.decode() if isinstance(value, bytes) else value
                keys[a.name] = framework.told(value)
            yield f"ai.onnx.{nodes[0].op_type}", (args, keys)


# Choice ---------------------------------------------------------------------------------------------


def wanted(record: dict[str, Any], align: dict[str, Any]) -> list[str]:
    """Names of a function or method by which it is called; TensorFlow's begin with "tf."."""
    names = [re.sub(r"^tensorflow\.", "tf.", n) for n in record["names"]]
    return [
        n
        for n in names
        if record["kind"] in ("function", "method")
        and any(n.startswith(u) and "." not in n[len(u) :] for u in align["use"])
        and not any(fnmatch.fnmatch(n, p) for p in align["leave"])
    ]


def arity(record: dict[str, Any]) -> tuple[int, int]:
    """The fewest and the most positional arguments."""
    rows = (record["signature"] or {}).get("parameters")
    if rows is None:
        return 0, 99
    if any(p["kind"].startswith("VAR") for p in rows):
        return 0, 99
    own = record["kind"] == "method"
    return own + sum("default" not in p for p in rows), own + len(rows)


def named(symbol: str, record: dict[str, Any], call: Call) -> Call:
    """The call as the symbol takes it: raw_ops take names only."""
    if ".raw_ops." not in symbol or not record["signature"]:
        return call
    names = [p["name"] for p in record["signature"]["parameters"]]
    return [], dict(zip(names, call[0], strict=False)) | call[1]


def candidates(framework: Any, record: dict[str, Any], symbol: str, align: dict[str, Any], own: list[Call]) -> Iterator[Call]:
    """Own samples first, then documented examples, tuples of the operator and generic ones that fit its signature."""
    yield from own
    with contextlib.suppress(AttributeError):
        yield from documented(framework, record["doc"], framework.find(symbol), align["names"])
    least, most = arity(record)
    for text in [*align["tuples"].get(op_of(symbol), ()), *align["generic"]]:
        call = tuple_of(text)
        if call and least <= len(call[0]) + len(call[1]) <= most:
            yield named(symbol, record, call)


class Search:
    """Runs candidates of all names, a portion of each at a time, until a name has its seeds."""

    def __init__(self, runner: Runner, elements_max: int) -> None:
        self.runner = runner
        self.elements_max = elements_max
        self.queues: dict[str, list[Call]] = {}
        self.works: dict[str, list[dict[str, Any]]] = {}

    def add(self, symbol: str, calls: Iterator[Call]) -> None:
        kept: dict[str, Call] = {}
        for args, keys in calls:
            if n_elements([*args, *keys.values()]) <= self.elements_max:
                kept.setdefault(json.dumps([args, keys]), (args, keys))
        self.queues[symbol] = list(kept.values())[: PORTION * PORTIONS]

    def portion(self, at: int) -> None:
        rows = [
            {"symbol": symbol, "op": op_of(symbol), "args": args, "keys": keys}
            for symbol, queue in self.queues.items()
            if len(self.works.get(symbol, ())) < SEEDS_OF_OP
            for args, keys in queue[at * PORTION : (at + 1) * PORTION]
        ]
        for row, result in zip(rows, self.runner.run(rows), strict=True):
            found = self.works.setdefault(row["symbol"], [])
            if result["real"]["is"] == "ok" and result["real"]["leaves"]:
                found.append(row | {"leaves": result["real"]["leaves"]})

    def chosen(self, symbol: str, n: int) -> list[dict[str, Any]]:
        found = self.works.get(symbol, [])
        most = sorted(found[1:], key=lambda r: -(len(r["args"]) + len(r["keys"])))
        return (found[:1] + most)[:n]


def search(name: str, records: list[dict[str, Any]], align: dict[str, Any]) -> Iterator[dict[str, Any]]:
    framework = foretold_frameworks.OPENED[name]()
    align["names"] = dict(framework.opened.roots)
    if name == "jax":
        align["names"] |= {"jnp": framework.find("jax.numpy"), "lax": framework.find("jax.lax")}
    runner = Runner(framework)
    runner.order = ("real",)
    framework.seconds = SECONDS
    own: dict[str, list[Call]] = {}
    if name == "torch":
        for info in torch_operators():
            names = [n for n in torch_names(framework, info) if n not in own]
            samples = torch_samples(framework, info) if names else []
            own |= dict.fromkeys(names, samples)
    if name == "onnx":
        for symbol, call in onnx_samples(framework):
            own.setdefault(symbol, []).append(call)
    find = Search(runner, ELEMENTS_MAX_ONNX if name == "onnx" else ELEMENTS_MAX)
    seen: set[str] = set()
    for record in records:
        symbols = record["names"] if name == "onnx" else wanted(record, align)
        symbols += [n for n in record["names"] if n in own and n not in symbols]
        for at, symbol in enumerate(symbols):
            if at and name != "torch":
                break  # other names of the same object
            seen.add(symbol)
            find.add(symbol, candidates(framework, record, symbol, align, own.get(symbol, [])))
    for symbol in own:
        if symbol not in seen:
            find.add(symbol, iter(own[symbol]))
    for at in range(PORTIONS):
        find.portion(at)
        print(f"portion {at}: {sum(map(bool, find.works.values()))} of {len(find.queues)} names", file=sys.stderr)
    n = 1 if name == "tensorflow" else 2
    for symbol in sorted(find.works):
        yield from find.chosen(symbol, n)


def main() -> int:
    name, records_path, align_path = sys.argv[1:4]
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with open(records_path, encoding="utf-8") as file:
        records = [json.loads(line) for line in file][1:]
    with open(align_path, encoding="utf-8") as file:
        align = json.load(file)
    with answer:
        for row in search(name, records, align):
            answer.write(json.dumps(row, separators=(",", ":")) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
