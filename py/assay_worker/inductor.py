"""Compiles Inductor's C++ kernels of one graph in one file, so that the compiler reads torch's headers once.

A graph has some ten kernels, and each takes the compiler most of a second, nearly all of it for headers. Here
`AsyncCompile.cpp_pybinding` only records the source, and `AsyncCompile.wait` compiles all that were recorded, with
torch's own flags and loader; kernels are renamed, otherwise unchanged. Since this depends on internals, it is
installed only for versions that it was tested with, and if a small graph gives the same results with and without it
(the canary); if the file does not compile, each kernel gets its own file. Cases that run alone do not use it.
"""

import functools
import re
from typing import Any

VERSIONS = ("2.13.",)

METHOD = """
static PyObject* kernel_{n}_py(PyObject* self, PyObject* args) {{
    try {{
        if (!PyTuple_CheckExact(args) || PyTuple_GET_SIZE(args) != {n_args})
            throw std::runtime_error("requires {n_args} args");
        kernel_{n}({args}); Py_RETURN_NONE;
    }} catch (std::exception const& e) {{
        PyErr_SetString(PyExc_RuntimeError, e.what());
        return nullptr;
    }} catch (...) {{
        PyErr_SetString(PyExc_RuntimeError, "unhandled error");
        return nullptr;
    }}
}}
"""
TABLE = "static PyMethodDef py_methods[] = {"


class Noted:
    """A kernel that waits to be compiled with the others of its graph."""

    def __init__(self, argtypes: list[str], source: str) -> None:
        self.argtypes, self.source = argtypes, source


def settings(torch: Any, turned: tuple[str, ...]) -> Any:
    """A context in which these settings of inductor are the other way: a flag turned, a number 1."""
    changes = {}
    for name in turned:
        value = functools.reduce(getattr, name.split("."), torch._inductor.config)
        changes[name] = not value if isinstance(value, bool) else 1
    return torch._inductor.config.patch(changes)


def merged_source(kernels: list[Noted], template: str) -> str:
    """One source with kernel_0, kernel_1 ... and a binding for each."""
    parts = [re.sub(r"\bkernel\b(?=\s*\()", f"kernel_{n}", k.source) for n, k in enumerate(kernels)]
    methods = []
    for n, k in enumerate(kernels):
        types = [t.replace("const ", "") for t in k.argtypes]
        args = ", ".join(f"parse_arg<{t}>(args, {i})" for i, t in enumerate(types))
        methods.append(METHOD.format(n=n, n_args=len(types), args=args))
    rows = "".join(f'{{"kernel_{n}", kernel_{n}_py, METH_VARARGS, ""}},' for n in range(len(kernels)))
    suffix = template.format(
        arg_len=0, call_entry_func="Py_RETURN_NONE;", entry_func="kernel", extra_parse_arg=""
    )
    if TABLE not in suffix:
        raise ValueError("the template of the bindings has changed")
    return "\n".join(parts) + suffix.replace(TABLE, "".join(methods) + TABLE + rows)


class Merge:
    """The two replaced functions, with install and removal."""

    def __init__(self, torch: Any) -> None:
        from torch._inductor import async_compile, codecache, config

        self.torch, self.config = torch, config
        self.target = async_compile.AsyncCompile
        self.cache = codecache.CppPythonBindingsCodeCache
        self.plain = (self.target.cpp_pybinding, self.target.wait)

    def _compile(self, kernels: list[Noted]) -> list[Any]:
        try:
            if len(kernels) > 1:
                source = merged_source(kernels, self.cache.suffix_template)
                module = self.cache.load_async(source, "cpu")()
                return [getattr(module, f"kernel_{n}") for n in range(len(kernels))]
        except Exception:  # noqa: BLE001, S110 - one file per kernel always works
            pass
        return [self.cache.load_pybinding(k.argtypes, k.source) for k in kernels]

    def install(self) -> None:
        merge = self

        def cpp_pybinding(_: Any, argtypes: list[str], source_code: str) -> Noted:
            return Noted(argtypes, source_code)

        def wait(self: Any, scope: dict[str, Any]) -> None:
            noted = {k: v for k, v in scope.items() if isinstance(v, Noted)}
            made = merge._compile(list(noted.values()))
            scope.update(zip(noted, made, strict=True))
            merge.plain[1](self, scope)

        self.target.cpp_pybinding, self.target.wait = cpp_pybinding, wait

    def remove(self) -> None:
        self.target.cpp_pybinding, self.target.wait = self.plain


def settle(torch: Any) -> None:
    """Configures torch: one compile thread, no helper processes, no cache of graphs."""
    import torch._inductor.config as config

    config.compile_threads = 1
    config.fx_graph_cache = False
    config.cpp.vec_isa_ok = True  # else a helper process tests each instruction set


def canary(torch: Any) -> list[list[float]]:
    """The results of two kernels of a small graph."""

    def small(x: Any) -> Any:
        return torch.softmax(x * 2 + 1, 0), (x.t() @ x).relu().sum(1)

    torch._dynamo.reset()
    with torch.no_grad():
        made = torch.compile(small)(torch.arange(12.0).reshape(3, 4) / 7)
    return [y.reshape(-1).tolist() for y in made]


def install(torch: Any) -> Merge | None:
    """Installs the merge of kernels; None: it may not be used."""
    settle(torch)
    if not torch.__version__.startswith(VERSIONS):
        return None
    try:
        merge = Merge(torch)
        expected = canary(torch)
        merge.install()
    except Exception:  # noqa: BLE001 - then torch compiles as usual
        return None
    try:
        if canary(torch) == expected:
            return merge
    except Exception:  # noqa: BLE001, S110
        pass
    merge.remove()
    return None
