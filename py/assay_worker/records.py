"""python -I -B .../records.py FRAMEWORK: the public API of an installed framework, as JSON lines on stdout.

The first line says {"framework", "version", "n_symbols", "left_out": {reason: count}}; every other
line is the record of one symbol, in the order of its name:

    name       shortest public name, as a user writes it: "torch.nn.functional.conv2d"
    names      all public names of the same object, shortest first
    op         the operator it belongs to: last part of the name, lower case, without underscores,
               "_copy" and "_": "torch.add", "torch.Tensor.add_" and "numpy.add" are all "add"
    kind       "function", "class", "method", "property" or "operator" (ONNX)
    signature  {"parameters": [{"name", "kind", "default", "annotation"}], "returns"}, or null where
               Python knows none. "default" is Python text, absent if there is no default;
               "kind" one of POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY,
               VAR_KEYWORD
    schemas    the framework's own signatures as text (torch: schemas of the dispatcher; ONNX: of the
               operator); empty where it has none
    texts      {parameter: what the framework says of it apart from the docstring}; only of ONNX's attributes
    doc        the docstring without indentation; "" if there is none
    file, line where it is defined, relative to the folder of packages; "" and 0 if not in Python

A framework is one row of FRAMEWORKS. The same installation gives the same bytes: nothing depends on
addresses, time or the order of dictionaries. A module that cannot be imported is counted in left_out.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
import json
import os
import re
import sys
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

DEFAULT_MAX = 200  # characters of a default's text
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def no_schemas(found: dict[int, Symbol]) -> dict[int, list[str]]:
    return {}


def torch_schemas(found: dict[int, Symbol]) -> dict[int, list[str]]:
    """Schemas of the dispatcher by symbol: those of the ATen operator of its name.

    torch.nn.functional.relu6 gets those of `relu6`, its last part; torch.linalg.x, torch.fft.x and
    torch.special.x get those of `linalg_x`, `fft_x` and `special_x`.
    """
    import torch

    by_name: dict[str, list[str]] = {}
    for schema in torch._C._jit_get_all_schemas():
        space, _, name = schema.name.partition("::")
        if space == "aten":
            by_name.setdefault(name, []).append(str(schema))
    told = {}
    for key, symbol in found.items():
        parts = symbol.name.split(".")
        spaced = "_".join(parts[-2:])
        if symbol.kind == "class" or len(parts) > 4:
            continue
        told[key] = sorted(by_name.get(spaced) or by_name.get(parts[-1]) or [])
    return told


def onnx_operators() -> Iterator[dict[str, Any]]:
    """Records of the newest schema of each operator of the standard."""
    import onnx.defs

    for schema in onnx.defs.get_all_schemas():
        spec = [f"since_version={schema.since_version}"]
        spec += [f"input {i.name}: {i.type_str} {i.option.name}" for i in schema.inputs]
        spec += [f"output {o.name}: {o.type_str} {o.option.name}" for o in schema.outputs]
        for name, a in sorted(schema.attributes.items()):
            value = onnx.helper.get_attribute_value(a.default_value) if not a.required else None
            given = " required" if a.required else "" if value is None else f"={value!r}"
            spec.append(f"attribute {name}: {a.type.name}{given}")
        for t in schema.type_constraints:
            spec.append(f"type {t.type_param_str}: {', '.join(sorted(t.allowed_type_strs))}")
        space = schema.domain or "ai.onnx"
        yield {
            "name": f"{space}.{schema.name}",
            "names": [f"{space}.{schema.name}"],
            "op": op_of(schema.name),
            "kind": "operator",
            "signature": None,
            "schemas": spec,
            "texts": {k: v.description for k, v in sorted(schema.attributes.items())},
            "doc": inspect.cleandoc(schema.doc or ""),
            "file": "",
            "line": 0,
        }


@dataclasses.dataclass(frozen=True)
class Framework:
    """roots: modules that are imported and walked. leave: names that are left out with all below them.
    inside: private modules whose objects are public under another name.
    own: packages whose objects count as the framework's own, besides its first root.
    package: the module that has the version."""

    package: str
    roots: tuple[str, ...]
    leave: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    schemas: Callable[[dict[int, Symbol]], dict[int, list[str]]] = no_schemas
    more: Callable[[], Iterator[dict[str, Any]]] | None = None


FRAMEWORKS = {
    "torch": Framework(
        "torch",
        (
            "torch",
            "torch.amp",
            "torch.export",
            "torch.func",
            "torch.masked",
            "torch.nested",
            "torch.nn.attention",
            "torch.nn.utils.parametrizations",
            "torch.nn.utils.parametrize",
            "torch.nn.utils.prune",
            "torch.nn.utils.stateless",
            "torch.signal.windows",
            "torch.sparse",
            "torch.utils.data",
        ),
        leave=(
            "torch.ops",
            "torch.classes",
            "torch.contrib",
            "torch.utils.show_pickle",
        ),
        schemas=torch_schemas,
    ),
    "keras": Framework("keras", ("keras",), leave=("keras.src",), inside=("keras.src",)),
    "jax": Framework(
        "jax",
        (
            "jax",
            "jax.experimental.sparse",
            "jax.image",
            "jax.lax",
            "jax.lax.linalg",
            "jax.nn",
            "jax.nn.initializers",
            "jax.numpy",
            "jax.numpy.fft",
            "jax.numpy.linalg",
            "jax.ops",
            "jax.random",
            "jax.scipy.cluster.vq",
            "jax.scipy.fft",
            "jax.scipy.integrate",
            "jax.scipy.linalg",
            "jax.scipy.ndimage",
            "jax.scipy.optimize",
            "jax.scipy.signal",
            "jax.scipy.spatial.transform",
            "jax.scipy.special",
            "jax.scipy.stats",
            "jax.tree",
            "jax.tree_util",
        ),
        leave=(
            "jax.core",
            "jax.extend",
            "jax.interpreters",
            "jax.tools",
            "jax.version",
        ),
        own=("jaxlib",),
    ),
    "tensorflow": Framework(
        "tensorflow",
        ("tensorflow",),
        leave=(
            "tensorflow.compat",
            "tensorflow.keras",
            "tensorflow.python",
            "tensorflow.core",
            "tensorflow.lite",
            "tensorflow.tools",
            "tensorflow.compiler",
            "tensorflow.dtensor",
            "tensorflow.include",
            "tensorflow.security",
        ),
        inside=("tensorflow.python", "tensorflow.lite.python"),
    ),
    "numpy": Framework(
        "numpy",
        ("numpy", "numpy.fft", "numpy.linalg", "numpy.polynomial", "numpy.random"),
        leave=(
            "numpy.f2py",
            "numpy.testing",
            "numpy.core",
            "numpy.ctypeslib",
            "numpy.distutils",
            "numpy.typing",
            "numpy.lib",
            "numpy.matlib",
        ),
    ),
    "onnx": Framework("onnx", (), more=onnx_operators),
}


@dataclasses.dataclass
class Symbol:
    """One object and the public names that lead to it; `owner` is the class of a method."""

    value: Any
    kind: str
    names: list[str]
    owner: type | None = None

    @property
    def name(self) -> str:
        return self.names[0]


def op_of(name: str) -> str:
    """The operator of a name: "torch.Tensor.add_" -> "add"; "tf.math.reduce_sum" -> "reducesum"."""
    last = name.rsplit(".", 1)[-1].rstrip("_").removesuffix("_copy")
    return last.replace("_", "").lower()


def below(name: str, places: tuple[str, ...]) -> bool:
    return any(name == p or name.startswith(p + ".") for p in places)


def shortest(name: str) -> tuple[int, int, str]:
    return name.count("."), len(name), name


def is_private(dotted: str) -> bool:
    return any(part.startswith("_") for part in dotted.split("."))


class Walk:
    """All public symbols of one framework; each object once, under all its names."""

    def __init__(self, framework: Framework) -> None:
        self.framework = framework
        self.own = (framework.roots[0].split(".")[0], *framework.own)
        self.symbols: dict[int, Symbol] = {}
        self.seen: set[int] = set()
        self.left_out: Counter[str] = Counter()

    def run(self) -> None:
        for root in self.framework.roots:
            try:
                module = importlib.import_module(root)
            except Exception:  # noqa: BLE001 - a missing module is counted
                self.left_out[f"{root} cannot be imported"] += 1
                continue
            self._module(root, module)
        for s in self.symbols.values():
            s.names.sort(key=shortest)
        classes = [s for s in self.symbols.values() if s.kind == "class"]
        public = {id(s.value) for s in classes}
        for s in sorted(classes, key=lambda s: shortest(s.name)):
            self._methods(s, public)

    def _defined_in(self, value: Any) -> str:
        module = getattr(value, "__module__", None)
        return module if isinstance(module, str) else ""

    def _is_own(self, value: Any) -> bool:
        module = self._defined_in(value)
        return not module or below(module, self.own)

    def _names(self, module: types.ModuleType) -> list[str]:
        listed = getattr(module, "__all__", None)
        names = set(dir(module))
        if isinstance(listed, (list, tuple)):
            # Submodules are walked whether or not a star import would bring them.
            inner = [n for n, v in vars(module).items() if isinstance(v, types.ModuleType)]
            names = {str(n) for n in listed} | set(inner)
        return sorted(n for n in names if not n.startswith("_"))

    def _belongs(self, module: types.ModuleType, value: Any, listed: bool) -> bool:
        """Is the object the module's own, not an imported one?"""
        where = self._defined_in(value)
        if listed or not where or is_private(where) or below(where, self.framework.inside):
            return True
        return below(where, (module.__name__, self.own[0] + "._C"))

    def _module(self, name: str, first: types.ModuleType) -> None:
        queue = [(name, first)]
        while queue:
            path, module = queue.pop(0)
            if id(module) in self.seen or below(path, self.framework.leave):
                continue
            self.seen.add(id(module))
            listed = set(getattr(module, "__all__", None) or ())
            for n in self._names(module):
                try:
                    value = getattr(module, n)
                except Exception:  # noqa: BLE001 - lazily imported names may lack their package
                    self.left_out["names that cannot be read"] += 1
                    continue
                full = f"{path}.{n}"
                if isinstance(value, types.ModuleType):
                    if self._is_submodule(value) and type(value) in self._module_types():
                        queue.append((self._path_of(value, full), value))
                elif not below(full, self.framework.leave) and self._belongs(
                    module, value, n in listed
                ):
                    self._add(full, value)

    def _module_types(self) -> tuple[type, ...]:
        lazy = [type(sys.modules[r]) for r in self.framework.roots if r in sys.modules]
        return (types.ModuleType, *lazy)

    def _is_submodule(self, module: types.ModuleType) -> bool:
        name = module.__name__
        return below(name, self.own) and (
            not is_private(name) or below(name, self.framework.inside) or "._api." in name
        )

    def _path_of(self, module: types.ModuleType, reached_as: str) -> str:
        """The module's own name if that is public: torch.nn.functional, not torch.functional.F."""
        name = module.__name__
        hidden = is_private(name) or below(name, self.framework.inside)
        return reached_as if hidden else name

    def _kind(self, value: Any) -> str | None:
        if isinstance(value, type):
            return "class"
        if not callable(value) or not self._is_own(value):
            return None
        named = getattr(value, "__name__", None)
        return "function" if isinstance(named, str) else None

    def _add(self, full: str, value: Any) -> None:
        kind = self._kind(value)
        if kind is None or (kind == "class" and not self._is_own(value)):
            self.left_out["values and what other packages define"] += 1
            return
        known = self.symbols.setdefault(id(value), Symbol(value, kind, []))
        if full not in known.names:
            known.names.append(full)

    def _methods(self, of: Symbol, public: set[int]) -> None:
        """Methods and properties that the class, or a base without a public name, defines.

        One that several classes share is listed once, under the shortest of its names."""
        cls = of.value
        bases = [b for b in cls.__mro__[1:] if id(b) not in public and b is not object]
        taken: set[str] = set()
        for base in (cls, *bases):
            if not below(self._defined_in(base), self.own):
                continue
            for n, value in sorted(vars(base).items()):
                if n.startswith("_") or n in taken:
                    continue
                taken.add(n)
                self._add_method(of, cls, n, value)

    def _add_method(self, of: Symbol, cls: type, n: str, value: Any) -> None:
        kind = "property" if isinstance(value, property) or inspect.isdatadescriptor(value) else ""
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if not kind and callable(value) and not isinstance(value, type):
            kind = "method"
        if not kind:
            return
        known = self.symbols.setdefault(id(value), Symbol(value, kind, [], cls))
        if known.owner is cls:
            known.names.append(f"{of.name}.{n}")


def text_of_default(value: Any) -> str:
    """Python text of a default; a value without a literal becomes <type>."""
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return repr(value)[:DEFAULT_MAX]
    if type(value) in (tuple, list) and len(value) <= 16:
        inner = ", ".join(text_of_default(v) for v in value)
        if type(value) is list:
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__}"
    text = repr(value)
    if re.fullmatch(r"[A-Za-z_][\w.]*", text) and len(text) <= DEFAULT_MAX:  # torch.float32
        return text
    return f"<{type(value).__name__}>"


def text_of_annotation(value: Any) -> str:
    if value is inspect.Parameter.empty:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, type) and not getattr(value, "__args__", None):
        return value.__qualname__
    return ADDRESS.sub("", str(value)).replace("typing.", "")


def signature_of(value: Any) -> dict[str, Any] | None:
    """Parameters from inspect.signature; None: it has none."""
    try:
        told = inspect.signature(value)
    except (ValueError, TypeError, NameError, AttributeError):
        return None
    rows = []
    for p in told.parameters.values():
        row = {
            "name": p.name,
            "kind": p.kind.name,
            "annotation": text_of_annotation(p.annotation),
        }
        if p.default is not inspect.Parameter.empty:
            row["default"] = text_of_default(p.default)
        rows.append(row)
    return {"parameters": rows, "returns": text_of_annotation(told.return_annotation)}


@functools.cache
def folder_of_packages(own: str) -> str:
    module = importlib.import_module(own)
    return os.path.dirname(os.path.dirname(os.path.abspath(module.__file__ or "")))


def place_of(value: Any, own: str) -> tuple[str, int]:
    """Defining file, relative to the folder of packages, and its line."""
    value = value.fget if isinstance(value, property) else value
    try:
        value = inspect.unwrap(value)
        path = inspect.getsourcefile(value) or ""
    except (TypeError, ValueError, AttributeError):
        return "", 0
    root = folder_of_packages(own)
    if not path.startswith(root + os.sep):
        return "", 0
    code = getattr(value, "__code__", None)
    line = code.co_firstlineno if code else getattr(value, "__firstlineno__", 0)
    return path[len(root) + 1 :], line


def doc_of(s: Symbol) -> str:
    doc = getattr(s.value, "__doc__", None)
    if not isinstance(doc, str) or (s.kind == "class" and doc is type.__doc__):
        return ""
    return ADDRESS.sub("", inspect.cleandoc(doc))


def record(s: Symbol, schemas: list[str], own: str) -> dict[str, Any]:
    file, line = place_of(s.value, own)
    signature = None if s.kind == "property" else signature_of(s.value)
    rows = signature["parameters"] if signature and s.kind == "method" else []
    if rows and rows[0]["name"] in ("self", "cls"):
        del rows[0]
    return {
        "name": s.name,
        "names": s.names,
        "op": op_of(s.name),
        "kind": s.kind,
        "signature": signature,
        "schemas": schemas,
        "doc": doc_of(s),
        "file": file,
        "line": line,
    }


def version_of(framework: Framework) -> str:
    told = getattr(importlib.import_module(framework.package), "__version__", "0")
    return str(told).split("+")[0]


def dump(name: str) -> Iterator[dict[str, Any]]:
    """The header, then all records. KeyError: the framework has no row."""
    framework = FRAMEWORKS[name]
    header = {"framework": name, "version": version_of(framework)}
    if framework.more:
        rows = sorted(framework.more(), key=lambda r: r["name"])
        yield header | {"n_symbols": len(rows), "left_out": {}}
        yield from rows
        return
    walk = Walk(framework)
    walk.run()
    schemas = framework.schemas(walk.symbols)
    symbols = sorted(walk.symbols.items(), key=lambda i: i[1].name)
    left_out = dict(sorted(walk.left_out.items()))
    yield header | {"n_symbols": len(symbols), "left_out": left_out}
    for key, s in symbols:
        yield record(s, schemas.get(key, []), walk.own[0])


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in FRAMEWORKS:
        known = ", ".join(FRAMEWORKS)
        print(
            f"records.py: one of {known} is expected, got {sys.argv[1:]}",
            file=sys.stderr,
        )
        return 64
    warnings.simplefilter("ignore")
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # keeps output of the framework out of the answer
    with out:
        for row in dump(sys.argv[1]):
            out.write(json.dumps(row, ensure_ascii=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
