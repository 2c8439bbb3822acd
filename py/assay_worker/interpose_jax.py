"""Puts itself between a program and jax.jit: compiled calls beside what was traced, equation by equation."""

import functools
import sys
import time
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from assay_worker import jaxpr, traced
from assay_worker.sites import Site
from assay_worker.taken import Item

SYMBOL = "jax.jit"
# What a jitted function has besides being called.
PARTS = ("lower", "trace", "eval_shape", "clear_cache", "_cache_size", "_clear_cache")


def _x64(is_on: bool) -> Any:
    """A context with 64-bit types, or without."""
    if hasattr(jax, "enable_x64"):
        return jax.enable_x64(is_on)
    return jax.experimental.enable_x64(is_on)


def dynamic(jitted: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """The leaves of the arguments that are traced, in order."""
    info = jitted._jit_info
    static = {n % len(args) if n < 0 and args else n for n in info.static_argnums}
    given = tuple(a for i, a in enumerate(args) if i not in static)
    named = {k: v for k, v in kwargs.items() if k not in info.static_argnames}
    leaves: list[Any] = jax.tree_util.tree_leaves((given, named))
    return leaves


def _kept(x: Any) -> Any:
    """A copy, since the call may reuse the memory of its arguments."""
    if isinstance(x, jax.Array):
        if jax.dtypes.issubdtype(x.dtype, jax.dtypes.extended):
            return jax.random.clone(x)
        return np.array(x, copy=True)
    return x.copy() if isinstance(x, np.ndarray) else x


def _item(path: str, x: Any) -> Item:
    if jax.dtypes.issubdtype(x.dtype, jax.dtypes.extended):
        x = jax.random.key_data(x)
    array = np.asarray(x)
    return traced.item(path, array, array.dtype.name)


def _items(result: Any) -> list[Item]:
    leaves, _ = jax.tree_util.tree_flatten_with_path(result)
    return [_item("out" + jax.tree_util.keystr(path), x) for path, x in leaves if hasattr(x, "dtype")]


class Interposer(traced.TracedSites):
    def install(self) -> None:
        real, jit = jax.jit, self._jit(jax.jit)
        jax.jit = jit
        # Libraries that were imported before may have it by a name of their own.
        for module in [m for n, m in sys.modules.items() if n.partition(".")[0] not in ("jax", "jaxlib")]:
            for name in [k for k, v in vars(module).items() if v is real]:
                setattr(module, name, jit)

    def _jit(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def jit(*given: Any, **options: Any) -> Any:
            if not given:
                return lambda f: jit(f, **options)
            return self._function(self.site(SYMBOL), given[0], real(*given, **options))

        return jit

    def _function(self, site: Site, original: Any, jitted: Any) -> Any:
        @functools.wraps(original, updated=())
        def compared(*args: Any, **kwargs: Any) -> Any:
            leaves = jax.tree_util.tree_leaves((args, kwargs))
            if self.depth or any(isinstance(x, jax.core.Tracer) for x in leaves):
                return jitted(*args, **kwargs)
            if self.as_eager:
                self.n_reached += 1
                with jax.disable_jit():
                    return original(*args, **kwargs)
            return self._call(site, jitted, args, kwargs)

        for name in PARTS:
            if hasattr(jitted, name):
                setattr(compared, name, getattr(jitted, name))
        return compared

    def _call(self, site: Site, jitted: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        def run() -> Any:
            return jitted(*args, **kwargs)

        began = time.monotonic()
        try:
            leaves = dynamic(jitted, args, kwargs)
            form = tuple((getattr(x, "dtype", type(x)), np.shape(x)) for x in leaves)
        except (AttributeError, TypeError, ValueError):
            self.n_reached += 1
            self.note("arguments that are no arrays")
            return run()
        if not self.is_due(site, form):
            return run()
        try:
            made = jitted.trace(*args, **kwargs)  # what the call traces too: the function is entered once
        except Exception:  # noqa: BLE001 - the call raises it as well
            self.note("refused when it is traced")
            return run()
        closed, tree = made.jaxpr, jax.tree_util.tree_structure(made.out_info)
        if len(closed.jaxpr.invars) != len(leaves):
            self.note("arguments that are not told apart")
            return run()
        kept = [_kept(x) for x in leaves]

        def evaluate(way: traced.Way) -> list[Item]:
            with _x64(way.is_wide or jax.config.jax_enable_x64):
                one = jaxpr.Run(way)
                starts = [
                    one.start(jax.numpy.asarray(x, v.aval.dtype) if not isinstance(x, jax.Array) else x)
                    for x, v in zip(kept, closed.jaxpr.invars, strict=True)
                ]
                return _items(jax.tree_util.tree_unflatten(tree, one.closed(closed, starts)))

        return self.compare(site, traced.Interpreted(evaluate), run, _items, began)
