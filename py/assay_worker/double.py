"""Double and noise: repeat a call in float64, and with each operator's inputs perturbed.

Double is a dispatch mode, not `.double()`: every float32, float16 or bfloat16 result of the program
becomes float64, casts of autocast too. Random operators draw in the declared type, so that the
generator gives the same numbers, and their results are widened.
"""

import math
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

NARROW = (torch.float32, torch.float16, torch.bfloat16)
UNIT = {
    torch.float32: 2.0**-24,
    torch.float16: 2.0**-11,
    torch.bfloat16: 2.0**-8,
    torch.float64: 2.0**-53,
}

# Operators that write to arguments that their schema does not mark.
SILENT_WRITERS = (
    "native_batch_norm",
    "cudnn_batch_norm",
    "miopen_batch_norm",
    "batch_norm_impl_index",
)


def _narrow(x: Any) -> Any:
    if isinstance(x, torch.Tensor) and x.dtype == torch.float64:
        return x.to(torch.float32)
    return x


def _wide(x: Any) -> Any:
    if isinstance(x, torch.Tensor) and x.dtype in NARROW and x.layout == torch.strided:
        return x.to(torch.float64)
    if isinstance(x, torch.Tensor) and x.dtype == torch.complex64:
        return x.to(torch.complex128)
    return x


def _wide_dtype(x: Any) -> Any:
    if x in NARROW:
        return torch.float64
    return torch.complex128 if x == torch.complex64 else x


def _writes(func: Any) -> list[int]:
    """Indices of positional arguments that the operator writes to."""
    return [
        i
        for i, a in enumerate(func._schema.arguments)
        if a.alias_info is not None and a.alias_info.is_write
    ]


# Factories that compute their elements from numbers.
COMPUTED = frozenset({"linspace", "logspace", "arange"})


# Operators that solve linear equations: of a singular matrix each rounding gives another solution.
SOLVERS = frozenset(
    "linalg_inv_ex _linalg_solve_ex linalg_lu_solve linalg_lstsq linalg_pinv linalg_ldl_solve linalg_solve_triangular "
    "triangular_solve cholesky_solve cholesky_inverse".split()
)


def _is_singular(func: Any, args: Any, kwargs: Any, wide: Any) -> bool:
    """Does float32 give another solution than float64, by a tenth and more?"""
    try:
        narrow = tree_leaves(func(*tree_map(_narrow, args), **tree_map(_narrow, kwargs)))[0]
    except RuntimeError:
        return True
    solution = tree_leaves(wide)[0]
    if not solution.numel() or not solution.is_floating_point():
        return False
    return not bool((narrow - solution).abs().max() <= 0.1 * solution.abs().max())


def _is_dtype(x: Any) -> bool:
    return isinstance(x, torch.dtype)


class Wide(TorchDispatchMode):
    """Makes every floating result float64. Records which operators ran, and whether any drew random numbers or met a singular matrix."""

    def __init__(self) -> None:
        super().__init__()
        self.operators: dict[str, None] = {}
        self.draws = self.singular = False

    def _random(self, func: Any, args: Any, kwargs: Any) -> Any:
        written = _writes(func)
        if not written:
            return tree_map(_wide, func(*tree_map(_narrow, args), **tree_map(_narrow, kwargs)))
        target = args[written[0]]
        drawn = func(*tree_map(_narrow, args), **tree_map(_narrow, kwargs))
        target.copy_(drawn)
        return target

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        self.operators[func._schema.name.replace("::", ".")] = None
        if torch.Tag.nondeterministic_seeded in func.tags:
            self.draws = True
            return self._random(func, args, kwargs)
        args = tree_map(lambda x: _wide_dtype(x) if _is_dtype(x) else x, args)
        kwargs = {k: _wide_dtype(v) if _is_dtype(v) else v for k, v in kwargs.items()}
        written = set(_writes(func))
        mixed = [a if i in written else tree_map(_wide, a) for i, a in enumerate(args)]
        try:
            result = func(*mixed, **kwargs)
        except (RuntimeError, NotImplementedError):
            if written:
                raise
            result = func(*tree_map(_narrow, mixed), **tree_map(_narrow, kwargs))
        if func._schema.name.rpartition("::")[2] in SOLVERS and not written:
            self.singular = self.singular or _is_singular(func, mixed, kwargs, result)
        if written or any(r.alias_info is not None for r in func._schema.returns):
            return result
        return tree_map(_wide, result)


def _depth(func: Any, args: Any) -> float:
    """About how many terms one element of the result sums."""
    name = func._schema.name
    tensors = [a for a in args if isinstance(a, torch.Tensor)]
    if not tensors:
        return 1.0
    if name.rpartition("::")[2] in (
        "mm",
        "bmm",
        "addmm",
        "baddbmm",
        "linear",
        "dot",
        "mv",
        "addmv",
    ):
        left = tensors[-2] if len(tensors) > 1 else tensors[0]
        return float(left.shape[-1]) if left.dim() else 1.0
    if "convolution" in name and len(tensors) > 1:
        return tensors[1].numel() / max(1, tensors[1].shape[0])
    return float(max(t.numel() for t in tensors))


class Noise(TorchDispatchMode):
    """Moves each operator's floating inputs by their rounding unit times max(1, sqrt(K)/8), K: _depth, and the results
    of factories that compute."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)

    def _signs(self, x: Any) -> torch.Tensor | None:
        """1 or -1 for each element; None: x is not moved."""
        if not isinstance(x, torch.Tensor) or x.dtype not in UNIT or x.layout != torch.strided:
            return None
        if not x.numel():
            return None
        return torch.randint(0, 2, x.shape, generator=self.generator, dtype=torch.int8) * 2 - 1

    def _move(self, x: Any, scale: float) -> Any:
        sign = self._signs(x)
        if sign is None:
            return x
        moved = x.to(torch.float64) * (1 + sign * (UNIT[x.dtype] * scale))
        return moved.to(x.dtype)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        returns_view = any(r.alias_info is not None for r in func._schema.returns)
        written = set(_writes(func))
        name = func._schema.name.rpartition("::")[2]
        if (returns_view and not written) or torch.Tag.nondeterministic_seeded in func.tags:
            return func(*args, **kwargs)
        silent = any(s in name for s in SILENT_WRITERS)
        scale = max(1.0, math.sqrt(_depth(func, args)) / 8)
        moved = [
            a if i in written or (silent and i > 2) else tree_map(lambda x: self._move(x, scale), a)
            for i, a in enumerate(args)
        ]
        result = func(*moved, **kwargs)
        return self._move_all(result) if name in COMPUTED else result

    def _move_all(self, x: Any) -> Any:
        """Elements of a sequence are as far off as the rounding of the largest one, also those near zero."""
        sign = self._signs(x)
        if sign is None:
            return x
        step = UNIT[x.dtype] * float(x.abs().max())
        return (x.to(torch.float64) + sign * step).to(x.dtype)


def widen_in_place(tensors: list[torch.Tensor]) -> None:
    """Makes all narrow tensors float64 in place; views of the same memory still share it."""
    wide: dict[tuple[int, torch.dtype], torch.Tensor] = {}
    with torch.no_grad():
        for t in tensors:
            if t.dtype not in NARROW or t.layout != torch.strided or t.is_meta:
                continue
            key = (t.untyped_storage().data_ptr(), t.dtype)
            if key not in wide:
                n = t.untyped_storage().nbytes() // t.element_size()
                flat = torch.as_strided(t.detach(), (n,), (1,), 0)
                wide[key] = flat.to(torch.float64)
            # Unset while its tensor changes: their types must not differ even briefly.
            grad = t.grad if t.is_leaf else None
            if grad is not None:
                t.grad = None
            t.data = torch.as_strided(wide[key], t.size(), t.stride(), t.storage_offset())
            if grad is not None:
                t.grad = grad.to(torch.float64) if grad.dtype in NARROW else grad
