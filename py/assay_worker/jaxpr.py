"""Runs a jaxpr equation by equation, each one compiled alone: as it is, in float64, or with noise.

Control flow and nested calls are interpreted too, so that no two equations are compiled together.
"""

from typing import Any

import jax
import numpy as np

from assay_worker.traced import NotJudged, Way, check_range

# Functions of one jaxpr, by the name of the parameter that holds it.
CALLS = {
    "jit": "jaxpr",
    "pjit": "jaxpr",
    "closed_call": "call_jaxpr",
    "core_call": "call_jaxpr",
    "remat2": "jaxpr",
    "checkpoint": "jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
    "custom_vjp_call_jaxpr": "fun_jaxpr",
}
# Primitives that only print.
SILENT = frozenset({"debug_callback", "debug_print"})
# Primitives that know the bits of their declared dtypes, or draw as many as these have.
OF_BITS = frozenset({"bitcast_convert_type", "nextafter", "random_gamma", "rng_uniform"})
# Primitives that compute nothing: their inputs are not moved.
MOVERS = frozenset(
    "broadcast_in_dim concatenate copy copy_p dynamic_slice dynamic_update_slice gather pad real_part rev reshape "
    "select_n slice split squeeze stop_gradient transpose bitcast_convert_type convert_element_type".split()
)


def _name(x: Any) -> str:
    return x.dtype.name if hasattr(x, "dtype") else ""


def _cast(x: Any, name: str) -> Any:
    return jax.lax.convert_element_type(x, np.dtype(name)) if _name(x) != name else x


def _is_plain(x: Any) -> bool:
    """Is it an array of numbers, and no array of keys?"""
    return not jax.dtypes.issubdtype(x.dtype, jax.dtypes.extended)


def _n_terms(eqn: Any, values: list[Any]) -> int:
    """About how many terms one element of the result sums."""
    name = eqn.primitive.name
    if name == "dot_general":
        axes = eqn.params["dimension_numbers"][0][0]
        return int(np.prod([values[0].shape[a] for a in axes], dtype=np.int64))
    if name == "conv_general_dilated":
        out = eqn.params["dimension_numbers"].rhs_spec[0]
        return int(values[1].size // max(1, values[1].shape[out]))
    elementwise = all(v.aval.shape == eqn.outvars[0].aval.shape or not v.aval.shape for v in eqn.invars)
    is_scan = name.startswith("cum")
    return 1 if elementwise and not is_scan else max((v.size for v in values if hasattr(v, "size")), default=1)


class Run:
    """One run of a closed jaxpr in a way."""

    def __init__(self, way: Way) -> None:
        self.way = way

    def closed(self, closed: Any, values: list[Any]) -> list[Any]:
        return self.jaxpr(closed.jaxpr, [self.start(c) for c in closed.consts], values)

    def start(self, x: Any) -> Any:
        """An argument or constant as an array of the run's dtype."""
        x = jax.numpy.asarray(x)
        return _cast(x, self.way.dtype(_name(x))) if _is_plain(x) else x

    def jaxpr(self, jaxpr: Any, consts: list[Any], values: list[Any]) -> list[Any]:
        known: dict[Any, Any] = dict(zip(jaxpr.constvars, consts, strict=True))
        known.update(zip(jaxpr.invars, values, strict=True))

        def value(v: Any) -> Any:
            return self._literal(v) if hasattr(v, "val") else known[v]

        for eqn in jaxpr.eqns:
            made = self._equation(eqn, [value(v) for v in eqn.invars])
            known.update(zip(eqn.outvars, made, strict=True))
        return [value(v) for v in jaxpr.outvars]

    def _literal(self, v: Any) -> Any:
        name = v.aval.dtype.name
        return jax.numpy.asarray(np.asarray(v.val, name).astype(self.way.dtype(name)))

    def _equation(self, eqn: Any, values: list[Any]) -> list[Any]:
        name, params = eqn.primitive.name, eqn.params
        self.way.begin(f"lax.{name}")
        if name in SILENT:
            return []
        if name in CALLS:
            inner = params[CALLS[name]]
            return self.closed(inner, values) if hasattr(inner, "consts") else self.jaxpr(inner, [], values)
        if name in self.CONTROL:
            return self.CONTROL[name](self, params, values)
        return self._bind(eqn, values)

    def _cond(self, params: dict[str, Any], values: list[Any]) -> list[Any]:
        at = min(max(int(values[0]), 0), len(params["branches"]) - 1)
        return self.closed(params["branches"][at], values[1:])

    def _while(self, params: dict[str, Any], values: list[Any]) -> list[Any]:
        n, m = params["cond_nconsts"], params["cond_nconsts"] + params["body_nconsts"]
        carry = values[m:]
        while bool(self.closed(params["cond_jaxpr"], values[:n] + carry)[0]):
            carry = self.closed(params["body_jaxpr"], values[n:m] + carry)
        return carry

    def _scan(self, params: dict[str, Any], values: list[Any]) -> list[Any]:
        n, m = params["num_consts"], params["num_consts"] + params["num_carry"]
        consts, carry, rows = values[:n], values[n:m], values[m:]
        steps = range(params["length"])
        made: list[list[Any]] = []
        for i in reversed(steps) if params["reverse"] else steps:
            out = self.closed(params["jaxpr"], consts + carry + [x[i] for x in rows])
            carry = out[: m - n]
            made.append(out[m - n :])
        if params["reverse"]:
            made.reverse()
        if not made:
            empty = params["jaxpr"].out_avals[m - n :]
            return carry + [jax.numpy.zeros((0, *a.shape), self.way.dtype(a.dtype.name)) for a in empty]
        return carry + [jax.numpy.stack(column) for column in zip(*made, strict=True)]

    def _linear_solve(self, params: dict[str, Any], values: list[Any]) -> list[Any]:
        sizes = params["const_lengths"]
        first = sizes.matvec + sizes.vecmat
        consts = values[first : first + sizes.solve]
        return self.closed(params["jaxprs"].solve, consts + values[sum(sizes) :])

    CONTROL = {"cond": _cond, "while": _while, "scan": _scan, "custom_linear_solve": _linear_solve}

    def _bind(self, eqn: Any, values: list[Any]) -> list[Any]:
        if eqn.effects:
            raise NotJudged(eqn.primitive.name)
        made = eqn.outvars[0].aval.dtype if eqn.outvars else None
        if eqn.primitive.name == "convert_element_type" and made.kind in "iu" and np.dtype(_name(values[0])).kind in "fV":
            check_range(np.asarray(values[0]), made.name)
        if self.way.is_wide:
            return self._bind_wide(eqn, values)
        if self.way.generator is not None and eqn.primitive.name not in MOVERS:
            n = _n_terms(eqn, values)
            values = [self._moved(v, n) for v in values]
        return self._run(eqn, values, eqn.params)

    def _moved(self, x: Any, n_terms: int) -> Any:
        return jax.numpy.asarray(self.way.moved(np.asarray(x), _name(x), n_terms)) if _is_plain(x) else x

    def _run(self, eqn: Any, values: list[Any], params: dict[str, Any]) -> list[Any]:
        made = eqn.primitive.bind(*values, **params)
        return list(made) if eqn.primitive.multiple_results else [made]

    def _bind_wide(self, eqn: Any, values: list[Any]) -> list[Any]:
        name = eqn.primitive.name
        if name == "reduce_precision":
            return values[:1]
        if name not in OF_BITS:
            wide = {k: self._wide_parameter(v) for k, v in eqn.params.items()}
            try:
                return self._run(eqn, values, wide)
            except Exception:  # noqa: BLE001 - there is no float64 kernel: the declared one, widened
                pass
        declared = [_cast(x, v.aval.dtype.name) if _is_plain(x) else x for x, v in zip(values, eqn.invars, strict=True)]
        return [self.start(x) for x in self._run(eqn, declared, eqn.params)]

    def _wide_parameter(self, x: Any) -> Any:
        is_dtype = isinstance(x, np.dtype) or (isinstance(x, type) and issubclass(x, np.generic))
        return np.dtype(self.way.dtype(np.dtype(x).name)) if is_dtype else x
