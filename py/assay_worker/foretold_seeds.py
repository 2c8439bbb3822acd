"""Candidate calls for seeds: a framework's own samples, documented examples, and argument tuples of the alignment.

python -I -B .../foretold_seeds.py FRAMEWORK ORDER     one line of JSON per seed call that works

ORDER: {"names": {"use": [prefix, ...], "classes": [prefix, ...], "leave": [pattern, ...], "random": [pattern, ...], "seeds": of
a name}, "generic": [call, ...], "tuples": [{"name": operator or symbol, "calls": [call, ...]}, ...], "pool", "bytes", "records": those of
records.py}; calls and pool are those of calls.py, the pool's bytes in hexadecimal. Only shapes, types and numbers are taken from
samples and examples. Each candidate is run by foretold.py, in forked children; of a name the first that works and the ones with most
arguments are kept. Its "leaves" are those of the run. "random": its values are drawn. "types": what the framework declares
for its tensors.
"""

from __future__ import annotations

import ast
import collections
import contextlib
import fnmatch
import itertools
import json
import logging
import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import numpy as np  # noqa: E402

from assay_worker import examples, foretold_frameworks, schema_calls, torch_declared  # noqa: E402
from assay_worker.foretold import Runner  # noqa: E402
from assay_worker.records import op_of  # noqa: E402

ELEMENTS_MAX = 128  # of all tensors of a seed
ELEMENTS_MOST = 1024  # where no smaller one works
SEEDS_OF_OP = 3
SAMPLES_SEEN = 100
PORTION = 8  # candidates of a name that are tried at a time
PORTIONS = 12
LARGER = 8  # candidates with more than ELEMENTS_MAX elements
SECONDS = 4  # of a candidate


class Call(NamedTuple):
    args: list[Any]
    keys: dict[str, Any]
    make: int | None = None  # of a class: how many arguments are the constructor's
    step: bool = False  # of an optimiser


def n_elements(value: Any) -> int:
    """Of a value that was told."""
    if isinstance(value, dict):
        return max(1, len(value["tensor"]["values"])) if "tensor" in value else sum(map(n_elements, value.get("tuple", ())))
    return sum(map(n_elements, value)) if isinstance(value, list) else 0


def is_tensor(value: Any) -> bool:
    return isinstance(value, dict) and "tensor" in value


def is_larger(call: Call) -> bool:
    return n_elements([*call.args, *call.keys.values()]) > ELEMENTS_MAX


# Tuples -------------------------------------------------------------------------------------------


class Tuples:
    """Calls of the order as candidates. Their tensors are rows of the order's pool."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.rows = order["pool"]
        self.bytes = bytes.fromhex(order["bytes"])
        self.generic = self.read(order["generic"])
        self.of_op: dict[str, list[Call]] = {}
        for row in order["tuples"]:
            self.of_op.setdefault(op_of(row["name"]), []).extend(self.read(row["calls"]))

    def tensor(self, value: dict[str, Any]) -> dict[str, Any]:
        row = self.rows[value["t"]]
        array = np.frombuffer(self.bytes[row["at"] : row["at"] + row["n"]], row["dtype"]).reshape(row["dims"])
        if "perm" in value:
            array = array.transpose(value["perm"])
        array = array.astype(value.get("cast", array.dtype))
        values = [foretold_frameworks.number(v) for v in array.flatten().tolist()]
        return {"tensor": {"dtype": array.dtype.name, "shape": list(array.shape), "values": values}}

    def argument(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.argument(v) for v in value]
        if isinstance(value, dict) and "tuple" in value:
            return {"tuple": self.argument(value["tuple"])}
        return self.tensor(value) if isinstance(value, dict) and "t" in value else value

    def read(self, calls: list[dict[str, Any]]) -> list[Call]:
        """Calls of functions and of classes; the steps of optimisers are left out."""
        return [
            Call(
                self.argument(c.get("make", []) + c["args"]),
                {k: self.argument(v) for k, v in c.get("make_keys", c.get("keys", {})).items()},
                len(c["make"]) if "make" in c else None,
            )
            for c in calls
            if "step" not in c and not ("make" in c and "keys" in c)
        ]


# Documented examples --------------------------------------------------------------------------------


class Recorder(ast.NodeTransformer):
    """Replaces each call `f(...)` by `_seen(f, ...)`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("_seen", ast.Load()), [node.func, *node.args], node.keywords)


def statements_of(doc: str) -> str:
    found = (re.match(r"\s*(?:>>>|\.\.\.) ?(.*)", line) for line in doc.splitlines())
    return "\n".join(match[1] for match in found if match)


def documented(framework: Any, doc: str, target: Any, names: dict[str, Any]) -> list[Call]:
    """Arguments with which the document's examples call `target`, or, of a class, make and call its objects."""
    calls: list[Call] = []
    made: dict[int, Any] = {}  # arguments of the constructors of living objects

    def told(args: Any, keys: dict[str, Any]) -> Call:
        return Call([framework.told(a) for a in args], {k: framework.told(v) for k, v in keys.items()})

    def seen(f: Any, *args: Any, **keys: Any) -> Any:
        with contextlib.suppress(foretold_frameworks.Unreadable):
            if id(f) in made and not keys:
                maker = made[id(f)][1]
                calls.append(Call(maker.args + told(args, keys).args, maker.keys, len(maker.args)))
            elif f is target and not isinstance(target, type):
                calls.append(told(args, keys))
        result = f(*args, **keys)
        if f is target and isinstance(target, type):
            with contextlib.suppress(foretold_frameworks.Unreadable):
                made[id(result)] = (result, told(args, keys))
        return result

    space = dict(names) | {"_seen": seen, "np": np}
    with contextlib.suppress(Exception):
        for statement in ast.parse(statements_of(doc)).body:
            tree = ast.Module([Recorder().visit(statement)], [])
            with contextlib.suppress(Exception):
                exec(compile(ast.fix_missing_locations(tree), "example", "exec"), space)  # noqa: S102
    return calls


# Samples of the framework ---------------------------------------------------------------------------


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
                    kept.append(Call(args, {k: framework.told(v) for k, v in s.kwargs.items()}))
        if kept:
            break
    kept.sort(key=lambda k: -(len(k[0]) + len(k[1])))
    return kept


def torch_types(framework: Any) -> dict[str, list[str]]:
    """Element types that torch declares for an operator's tensors on the CPU, by public name."""
    types_of: dict[str, list[str]] = {}
    for info in torch_declared.tests("common_methods_invocations", "op_db"):
        for name in torch_names(framework, info):
            types_of[name] = sorted({*torch_declared.types_on_cpu(info), *types_of.get(name, ())})
    return types_of


def torch_modules(framework: Any) -> Iterator[tuple[str, Call]]:
    torch = framework.torch
    for info in torch_declared.tests("common_modules", "module_db"):
        torch.manual_seed(0)
        with contextlib.suppress(Exception):
            for s in info.module_inputs_func(info, "cpu", torch.float32, False, False):
                with contextlib.suppress(foretold_frameworks.Unreadable, AttributeError):
                    make, call = s.constructor_input, s.forward_input
                    args = [framework.told(a) for a in (*make.args, *call.args)]
                    keys = {k: framework.told(v) for k, v in make.kwargs.items()}
                    if not call.kwargs:
                        yield f"torch.nn.{info.module_cls.__name__}", Call(args, keys, len(make.args))


def torch_steps(framework: Any) -> Iterator[tuple[str, Call]]:
    """Steps of optimisers that torch describes for its own tests."""
    torch = framework.torch
    parameter, gradient = framework.told(torch.linspace(-1, 1, 6).reshape(2, 3)), framework.told(torch.ones(2, 3))
    for info in torch_declared.tests("common_optimizers", "optim_db"):
        with contextlib.suppress(Exception):
            for s in info.optim_inputs_func("cpu"):
                with contextlib.suppress(foretold_frameworks.Unreadable):
                    keys = {k: framework.told(v) for k, v in s.kwargs.items()}
                    yield f"torch.optim.{info.optim_cls.__name__}", Call([parameter, gradient], keys, step=True)


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
            yield f"ai.onnx.{nodes[0].op_type}", Call(args, keys)


# Choice ---------------------------------------------------------------------------------------------


def fits(name: str, prefixes: list[str]) -> bool:
    return any(name.startswith(p) and "." not in name[len(p) :] for p in prefixes)


def wanted(record: dict[str, Any], choice: dict[str, Any]) -> list[str]:
    """Names by which a function or method is called, or objects of a class are made; TensorFlow's begin with "tf."."""
    names = [re.sub(r"^tensorflow\.", "tf.", n) for n in record["names"]]
    prefixes = choice["classes"] if record["kind"] == "class" else choice["use"]
    return [
        n
        for n in names
        if record["kind"] in ("function", "method", "class")
        and fits(n, prefixes)
        and not any(fnmatch.fnmatch(n, p) for p in choice["leave"])
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
    return Call([], dict(zip(names, call.args, strict=False)) | call.keys)


def bare(call: Call) -> Call:
    """A class that is made without arguments and called with those of a function."""
    return Call(call.args, {}, 0)


def made_of_numbers(record: dict[str, Any], calls: list[Call]) -> Iterator[Call]:
    """A class that is made of one small number for each argument it needs, and called with one tensor."""
    least, _ = arity(record)
    for number in (1, 2, 3):
        for call in calls:
            if 0 < least <= 3 and len(call.args) == 1 and is_tensor(call.args[0]):
                yield Call([number] * least + call.args, {}, least)


class Finder:
    """What candidates are made from."""

    def __init__(self, framework: Any, order: dict[str, Any]) -> None:
        self.framework = framework
        self.choice = order["names"]
        self.tuples = Tuples(order)

    def names(self, record: dict[str, Any]) -> dict[str, Any]:
        """What the record's examples may use without importing it."""
        known = examples.FRAMEWORKS.get(self.framework.opened.name)
        return self.framework.opened.roots | (examples.namespace_of(known, record["name"]) if known else {})

    def candidates(self, record: dict[str, Any], symbol: str, own: list[Call]) -> Iterator[Call]:
        """Own samples first, then documented examples, tuples of the operator and generic ones that fit its signature."""
        yield from own
        with contextlib.suppress(AttributeError, KeyError):
            yield from documented(self.framework, record["doc"], self.framework.find(symbol), self.names(record))
        tuples = [*self.tuples.of_op.get(op_of(symbol), ()), *self.tuples.generic]
        if record["kind"] == "class":
            yield from (c for c in tuples if c.make is not None)
            yield from (bare(c) for c in tuples if c.make is None)
            yield from made_of_numbers(record, [c for c in tuples if c.make is None and not c.keys])
            return
        least, most = arity(record)
        tuples = [c for c in tuples if c.make is None and least <= len(c.args) + len(c.keys) <= most]
        schemas = [rows for rows in map(schema_calls.parameters, record["schemas"]) if rows]
        fit = [c for c in tuples if any(schema_calls.fits(rows, c.args) for rows in schemas)]
        yield from fit
        for rows in schemas:
            yield from (Call(args, keys) for args, keys in schema_calls.calls_of(rows))
        yield from (named(symbol, record, c) for c in tuples if c not in fit)


class Search:
    """Runs candidates of all names, a portion of each at a time, until a name has its seeds."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.queues: dict[str, list[Call]] = {}
        self.works: dict[str, list[dict[str, Any]]] = {}

    def add(self, symbol: str, calls: Iterator[Call]) -> None:
        kept: dict[str, Call] = {}
        larger: list[Call] = []
        for call in calls:
            if not is_larger(call):
                kept.setdefault(json.dumps(call), call)
            elif len(larger) < LARGER and n_elements([*call.args, *call.keys.values()]) <= ELEMENTS_MOST:
                larger.append(call)
        self.queues[symbol] = [*list(kept.values())[: PORTION * PORTIONS - len(larger)], *larger]

    def traced(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The first rows of each name, SEEDS_OF_OP at most, that the abstract run does not refuse: it costs less than a real one."""
        abstract = self.runner.framework.abstract_name
        self.runner.order = (abstract,)
        n: collections.Counter[str] = collections.Counter()
        kept = []
        for row, result in zip(rows, self.runner.run(rows), strict=True):
            if result[abstract]["is"] in ("ok", "abstains") and n[row["symbol"]] < SEEDS_OF_OP:
                n[row["symbol"]] += 1
                kept.append(row)
        self.runner.order = ("real",)
        return kept

    def portion(self, at: int) -> None:
        rows = [
            {"symbol": symbol, "op": op_of(symbol), "args": call.args, "keys": call.keys}
            | ({} if call.make is None else {"make": call.make})
            | ({"step": True} if call.step else {})
            for symbol, queue in self.queues.items()
            if len(self.works.get(symbol, ())) < SEEDS_OF_OP
            for call in queue[at * PORTION : (at + 1) * PORTION]
            if not (is_larger(call) and self.works.get(symbol))
        ]
        if self.runner.framework.compiles:
            rows = self.traced(rows)
        for row, result in zip(rows, self.runner.run(rows), strict=True):
            found = self.works.setdefault(row["symbol"], [])
            if result["real"]["is"] == "ok" and result["real"]["leaves"]:
                found.append(row | {"leaves": result["real"]["leaves"]})

    def chosen(self, symbol: str, n: int) -> list[dict[str, Any]]:
        found = self.works.get(symbol, [])
        most = sorted(found[1:], key=lambda r: -(len(r["args"]) + len(r["keys"])))
        return (found[:1] + most)[:n]


def own_samples(framework: Any) -> dict[str, list[Call]]:
    """Samples that the framework has for its own tests, by name."""
    own: dict[str, list[Call]] = {}
    if framework.opened.name == "torch":
        for info in torch_declared.tests("common_methods_invocations", "op_db"):
            names = [n for n in torch_names(framework, info) if n not in own]
            samples = torch_samples(framework, info) if names else []
            own |= dict.fromkeys(names, samples)
    sources = {"torch": [torch_modules, torch_steps], "onnx": [onnx_samples]}.get(framework.opened.name, [])
    for symbol, call in itertools.chain.from_iterable(source(framework) for source in sources):
        own.setdefault(symbol, []).append(call)
    return own


def fill(find: Search, finder: Finder, name: str, order: dict[str, Any]) -> None:
    """Gives the search its candidates. Runs documented examples."""
    own = own_samples(finder.framework)
    for record in order["records"]:
        symbols = record["names"] if name == "onnx" else wanted(record, finder.choice)
        symbols += [n for n in record["names"] if n in own and n not in symbols]
        for symbol in symbols if name == "torch" and record["kind"] != "class" else symbols[:1]:
            find.add(symbol, finder.candidates(record, symbol, own.get(symbol, [])))
    for symbol in own:
        if symbol not in find.queues:
            find.add(symbol, iter(own[symbol]))


def told_by_child(fill_queues: Callable[[], dict[str, list[Call]]]) -> dict[str, list[Call]]:
    """What the function returns in a forked child: it may start threads of the framework, and the children of a process
    with such threads hang (XLA's)."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(ours)
            with os.fdopen(theirs, "w", encoding="utf-8") as out:
                json.dump(fill_queues(), out)
            code = 0
        except Exception:  # noqa: BLE001 - told below by the parent, with this as its reason
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(theirs)
    with os.fdopen(ours, encoding="utf-8") as file:
        text = file.read()
    if os.waitpid(pid, 0)[1] != 0:
        raise RuntimeError("the candidates of the search could not be made")
    return {symbol: [Call(*c) for c in calls] for symbol, calls in json.loads(text).items()}


def search(name: str, order: dict[str, Any]) -> Iterator[dict[str, Any]]:
    framework = foretold_frameworks.OPENED[name]()
    runner = Runner(framework)
    runner.order = ("real",)
    framework.seconds = SECONDS
    finder = Finder(framework, order)
    find = Search(runner)

    def queues() -> dict[str, list[Call]]:
        fill(find, finder, name, order)
        return find.queues

    find.queues = told_by_child(queues)
    for at in range(PORTIONS):
        find.portion(at)
        print(f"portion {at}: {sum(map(bool, find.works.values()))} of {len(find.queues)} names", file=sys.stderr)
    declared = torch_types(framework) if name == "torch" else {}
    for symbol in sorted(find.works):
        for row in find.chosen(symbol, finder.choice["seeds"]):
            random = any(fnmatch.fnmatch(symbol, p) for p in finder.choice["random"])
            types = {"types": declared[symbol]} if symbol in declared else {}
            yield row | types | ({"random": True} if random else {})


def main() -> int:
    name, path = sys.argv[1:3]
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with open(path, encoding="utf-8") as file:
        order = json.load(file)
    with answer:
        for row in search(name, order):
            answer.write(json.dumps(row, separators=(",", ":")) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
