"""Captures everything that a compared call may change as named items: results, arguments, modules, optimisers.

Bytes are read straight from memory: no operator runs, no generator advances, nothing is cloned in
the program's own process.
"""

import ctypes
import types
from collections.abc import Callable, Iterator
from typing import Any

import torch

from assay_worker.taken import PLAIN, TENSOR, VALUE, Item, Named, Taken

DEPTH_MAX = 6
ITEMS_MAX = 20_000
BYTES_MAX = 512 << 20
def raw(t: torch.Tensor) -> tuple[str, tuple[int, ...], bytes | None]:
    """Data type, shape and bytes of a tensor in row-major order; None: it has no memory."""
    kind = str(t.dtype).removeprefix("torch.")
    shape = tuple(int(n) for n in t.shape)
    plain = type(t) in (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer)
    if not plain and hasattr(t, "__tensor_flatten__"):
        return kind, shape, None
    if t.device.type != "cpu" or isinstance(t, torch._subclasses.FakeTensor):
        return kind, shape, None
    with torch.no_grad():
        if t.layout != torch.strided:
            t = t.detach().to_dense()
        if t.is_quantized:
            t = t.detach().int_repr()
        if t.is_conj() or t.is_neg():
            t = t.detach().resolve_conj().resolve_neg()
        if not t.is_contiguous():
            t = t.detach().contiguous()
    n = t.numel() * t.element_size()
    return kind, shape, ctypes.string_at(t.data_ptr(), n) if n else b""


class Walk:
    """Finds tensors and plain values below roots, each object once, in a fixed order."""

    def __init__(self) -> None:
        self.tensors: list[tuple[str, torch.Tensor]] = []
        self.values: list[tuple[str, Any]] = []
        self.modules: list[torch.nn.Module] = []
        self.optimizers: list[torch.optim.Optimizer] = []
        self.generators: list[tuple[str, torch.Generator]] = []
        self._seen: dict[int, Any] = {}

    def _is_new(self, x: Any) -> bool:
        if id(x) in self._seen or len(self._seen) > ITEMS_MAX:
            return False
        self._seen[id(x)] = x  # kept alive: no other object gets its id
        return True

    def add(self, x: Any, path: str, keep_values: bool, depth: int = 0) -> None:
        if isinstance(x, torch.Tensor):
            self._tensor(x, path)
        elif isinstance(x, PLAIN):
            if keep_values:
                self.values.append((path, x))
        elif isinstance(x, (torch.dtype, torch.device, torch.layout, torch.memory_format)):
            if keep_values:
                self.values.append((path, Named(x)))
        elif depth > DEPTH_MAX or isinstance(x, (type, types.ModuleType)):
            return
        elif isinstance(x, torch.nn.Module):
            self._module(x, path, depth)
        elif isinstance(x, torch.optim.Optimizer):
            self._optimizer(x, path)
        elif isinstance(x, torch.Generator):
            if self._is_new(x):
                self.generators.append((path, x))
        elif isinstance(x, (list, tuple, dict, set, frozenset)):
            self._container(x, path, keep_values, depth)
        elif callable(x) and not hasattr(x, "__dict__") or isinstance(x, types.FunctionType):
            return
        elif hasattr(x, "__dict__") and not type(x).__module__.startswith(("torch", "builtins")):
            if self._is_new(x):
                for k, v in list(vars(x).items()):
                    self.add(v, f"{path}.{k}", keep_values, depth + 1)

    def _container(self, x: Any, path: str, keep_values: bool, depth: int) -> None:
        if not isinstance(x, tuple) and not self._is_new(x):
            return
        if keep_values:
            self.values.append((f"{path}:form", (type(x).__name__, len(x))))
        if isinstance(x, dict):
            for k, v in list(x.items()):
                self.add(
                    v,
                    f"{path}[{k!r}]" if isinstance(k, PLAIN) else f"{path}[?]",
                    keep_values,
                    depth + 1,
                )
        elif isinstance(x, (list, tuple)):
            names = getattr(x, "_fields", None)
            for i, v in enumerate(x):
                self.add(
                    v, f"{path}.{names[i]}" if names else f"{path}[{i}]", keep_values, depth + 1
                )

    def _tensor(self, t: torch.Tensor, path: str) -> None:
        if not self._is_new(t):
            return
        self.tensors.append((path, t))
        if t.is_leaf and t.grad is not None and t.requires_grad:
            self.tensors.append((f"{path}.grad", t.grad))

    def _module(self, m: torch.nn.Module, path: str, depth: int) -> None:
        inner = getattr(m, "_orig_mod", None)
        if isinstance(inner, torch.nn.Module):
            self._module(inner, path, depth)
            return
        if isinstance(m, torch.jit.ScriptModule) or not self._is_new(m):
            return
        self.modules.append(m)
        for k, p in m._parameters.items():
            if p is not None:
                self._tensor(p, f"{path}.{k}")
        for k, b in m._buffers.items():
            if b is not None:
                self._tensor(b, f"{path}.{k}")
        for k, child in m._modules.items():
            if child is not None:
                self._module(child, f"{path}.{k}", depth)
        for k, v in list(vars(m).items()):
            if not k.startswith("_"):
                self.add(v, f"{path}.{k}", True, depth + 1)

    def _optimizer(self, o: torch.optim.Optimizer, path: str) -> None:
        if not self._is_new(o):
            return
        self.optimizers.append(o)
        parameters = [p for group in o.param_groups for p in group["params"]]
        for i, p in enumerate(parameters):
            self._tensor(p, f"{path}.params[{i}]")
            for k, v in list(o.state.get(p, {}).items()):
                self.add(v, f"{path}.state[{i}].{k}", True, 1)


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            yield from _names(c)


def roots(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The objects that a call of f can reach: itself, its closure, globals it names, its arguments."""
    found: dict[str, Any] = {}
    inner: Any = f
    if isinstance(inner, torch.nn.Module):
        found["model"] = inner
        inner = getattr(type(inner), "forward", None)
    if isinstance(inner, types.MethodType):
        found["self"] = inner.__self__
        inner = inner.__func__
    if isinstance(inner, types.FunctionType):
        for name, cell in zip(inner.__code__.co_freevars, inner.__closure__ or (), strict=False):
            try:
                found[f"closure.{name}"] = cell.cell_contents
            except ValueError:
                continue
        for name in sorted(set(_names(inner.__code__))):
            if name in inner.__globals__:
                found[f"global.{name}"] = inner.__globals__[name]
    found |= {f"arg[{i}]": a for i, a in enumerate(args)}
    found |= {f"arg.{k}": v for k, v in kwargs.items()}
    return found


def walk_state(state: dict[str, Any]) -> Walk:
    w = Walk()
    for name, x in state.items():
        # A class, module or function found by name is code, not state.
        w.add(x, name, keep_values=not name.startswith("global."))
    return w


def take(state: dict[str, Any], result: Any, out: Taken) -> None:
    """Appends the results (their paths begin with "out") and the current state."""
    of_result = Walk()
    of_result.add(result, "out", True)
    of_state = walk_state(state)
    total = 0
    for walk in (of_result, of_state):
        for path, t in walk.tensors:
            kind, shape, data = raw(t)
            total += len(data or b"")
            if total > BYTES_MAX:
                break
            out.items.append(Item(path, TENSOR, kind, shape, data))
        for path, v in walk.values:
            out.items.append(Item(path, VALUE, type(v).__name__, value=v))
        for path, g in walk.generators:
            out.items.append(Item(path, VALUE, "generator", value=raw(g.get_state())[2]))
    default = torch.default_generator.get_state()
    out.items.append(Item("torch.default_generator", VALUE, "generator", value=raw(default)[2]))
