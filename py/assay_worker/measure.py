"""Measures how far a written result is from the double one, compared with the eager result and with noise.

This file only computes numbers; the oracle "shadow" decides whether they are a failure. `may` is its
first three conditions, by which a worker decides whether noise is worth measuring.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay_worker.taken import TENSOR, VALUE, Item, Named, Taken

FACTOR = 12.0
NOISE_CAP = 1e-2
ILL_CONDITIONED = 0.1  # noise above it counts in full
UNITS = {
    "float64": 2.0**-53,
    "float32": 2.0**-24,
    "float16": 2.0**-11,
    "bfloat16": 2.0**-8,
    "complex64": 2.0**-24,
    "complex128": 2.0**-53,
}
# torch.testing.assert_close: relative, absolute
TOLERANCES = {
    "float64": (1e-7, 1e-7),
    "float32": (1.3e-6, 1e-5),
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "complex64": (1.3e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
}
INFINITE = 1e300


@dataclass
class Measure:
    """One compared item. differs: "" or value, exact, dtype, shape, structure."""

    path: str
    differs: str = ""
    error: float = 0.0  # written against double, relative to the largest element
    base_error: float = 0.0  # eager against double
    noise: float = 0.0  # e_cond: the largest error of the noise runs
    n_noise: int = 0
    excess: float = 0.0  # difference in units of torch's default tolerances; above 1: outside them
    unit: float = 0.0
    at: int = 0  # the worst element
    text: str = ""

    def may(self) -> bool:
        """The first three conditions of the oracle."""
        if self.differs in ("", "value"):
            noise = self.noise if self.noise > ILL_CONDITIONED else min(self.noise, NOISE_CAP)
            base = max(self.base_error, noise, 4 * self.unit)
            return self.error > FACTOR * base and self.excess > 1 and self.base_error <= 0.1
        return True


def _array(i: Item) -> Any:
    """The elements in one row; bytes, if NumPy lacks the dtype."""
    data = i.data or b""
    if i.dtype == "bfloat16":
        return (np.frombuffer(data, np.uint16).astype(np.uint32) << 16).view(np.float32)
    try:
        return np.frombuffer(data, i.dtype)
    except TypeError:
        return np.frombuffer(data, np.uint8)


def _double(i: Item) -> Any:
    x = _array(i)
    return x.astype(np.complex128).view(np.float64) if x.dtype.kind == "c" else x.astype(np.float64)


def relative(x: Any, ref: Any) -> float:
    """max|x - ref| / max|ref| over finite elements; infinite if NaNs or infinities differ."""
    finite = np.isfinite(ref)
    special = ~finite & ~((x == ref) | (np.isnan(x) & np.isnan(ref)))
    if bool(((np.isfinite(x) != finite) | special).any()):
        return INFINITE
    if not bool(finite.any()):
        return 0.0
    d = float(np.abs(x[finite] - ref[finite]).max())
    scale = float(np.abs(ref[finite]).max())
    return 0.0 if d == 0 else d / scale if scale > 0 else INFINITE


def _excess(x: Any, ref: Any, dtype: str) -> Any:
    """The differences in units of torch.testing's tolerances of the dtype."""
    rel, absolute = TOLERANCES[dtype]
    alike = (x == ref) | (np.isnan(x) & np.isnan(ref))
    with np.errstate(invalid="ignore"):  # of infinities
        excess = np.abs(x - ref) / (absolute + rel * np.abs(ref))
    return np.where(alike, 0.0, np.nan_to_num(excess, nan=INFINITE, posinf=INFINITE))


def _without_infinite_numbers(parts: list[Any]) -> list[Any]:
    """Complex numbers that have an infinite or undefined part in all runs are not compared part by part.

    inf * (1 + 0j) is inf + nan j by the formula, and inf + 0j where a compiler leaves the factor out.
    """
    away = [~np.isfinite(x.reshape(-1, 2)).all(1) for x in parts]
    left_out = np.repeat(np.logical_and.reduce(away), 2)
    return [np.where(left_out, 0.0, x) for x in parts]


def _floats(w: Item, e: Item, d: Item, m: Measure) -> None:
    x, y, ref = _double(w), _double(e), _double(d)
    if w.dtype.startswith("complex"):
        x, y, ref = _without_infinite_numbers([x, y, ref])
    m.unit = UNITS[w.dtype]
    if not x.size:
        return
    m.error, m.base_error = relative(x, ref), relative(y, ref)
    excess = _excess(x, ref, w.dtype)
    m.at = int(excess.argmax())
    m.excess = min(float(excess[m.at]), INFINITE)
    m.differs = "value"
    m.text = f"{x[m.at]:.9g} where eager gives {y[m.at]:.9g} and double {ref[m.at]:.9g}"


def _ranges(w: Item, e: Item, d: Item | None, m: Measure) -> None:
    """Compares integers, except those that rounding decides, such as the index of the largest."""
    x, y = _array(w), _array(e)
    differ = x != y
    if d is not None and d.dtype == w.dtype and d.shape == w.shape:
        differ = differ & (_array(d) == y)
    if bool(differ.any()):
        m.at = int(differ.argmax())
        m.differs = "exact"
        m.text = f"{x[m.at].item()} where eager gives {y[m.at].item()}"


def item(w: Item | None, e: Item | None, d: Item | None, path: str) -> Measure | None:
    """Compares one item of the three runs; None: it cannot be compared."""
    m = Measure(path)
    if w is None or e is None:
        m.differs = "structure"
        m.text = "exists, but not in eager" if e is None else "is missing, but exists in eager"
        return m
    if w.kind != e.kind:
        m.differs = "structure"
        m.text = f"a {w.kind} where eager gives a {e.kind}"
        return m
    if w.kind == VALUE:
        return _values(w, e, d, m)
    if w.dtype != e.dtype:
        m.differs, m.text = "dtype", f"{w.dtype} where eager gives {e.dtype}"
        return m
    if w.shape != e.shape:
        m.differs, m.text = "shape", f"{list(w.shape)} where eager gives {list(e.shape)}"
        return m
    if w.data is None or e.data is None:
        return None
    if w.dtype not in UNITS:
        if w.dtype.startswith(("q", "float8")) or w.data == e.data:
            return m
        _ranges(w, e, d, m)
        return m
    if d is None or d.shape != w.shape or d.data is None or d.dtype not in UNITS:
        return m if w.data == e.data else None
    _floats(w, e, d, m)
    return m


def _values(w: Item, e: Item, d: Item | None, m: Measure) -> Measure | None:
    # TorchScript holds a dtype, a layout or a memory format as an integer: its language has no types
    # for them.
    if isinstance(e.value, Named) and type(w.value) is int:
        return None
    if isinstance(w.value, float) and isinstance(e.value, float):
        if d is None or not isinstance(d.value, float):
            return None if w.value != e.value else m
        _scalars([w.value, e.value, d.value], m)
        return m
    same = type(w.value) is type(e.value) and w.value == e.value
    rounds = (
        d is not None
        and d.value != e.value
        and isinstance(e.value, (int, tuple))
        and type(w.value) is type(e.value)
    )
    if not same and not rounds:
        m.differs = "exact"
        m.text = (
            "another state of the generator"
            if w.dtype == "generator"
            else (f"{w.value!r:.60} where eager gives {e.value!r:.60}")
        )
    return m


def _scalars(values: list[float], m: Measure) -> None:
    x, y, ref = (np.array([v], np.float64) for v in values)
    m.unit = UNITS["float32"]  # a Python number was computed from float32
    m.error, m.base_error = relative(x, ref), relative(y, ref)
    m.excess = min(float(_excess(x, ref, "float32")[0]), INFINITE)
    m.differs = "value"
    m.text = f"{values[0]:.9g} where eager gives {values[1]:.9g} and double {values[2]:.9g}"


def _is_form_of_script(w: Item | None, e: Item | None) -> bool:
    """Are they two sequences of one length? TorchScript has lists alone for what may have any length, and a traced function gives plain tuples."""
    forms = [i.value for i in (w, e) if i is not None and isinstance(i.value, tuple)]
    return len(forms) == 2 and not {f[0] for f in forms} & {"dict", "set", "frozenset"} and forms[0][1] == forms[1][1]


def _names_parts(w: Item | None, e: Item | None) -> bool:
    """Has the written result names for what is a plain tuple in eager mode? A scripted function gives such, and its compiler may know the operator's."""
    forms = [i.value for i in (w, e) if i is not None and isinstance(i.value, tuple)]
    builtin = {"dict", "frozenset", "list", "set", "tuple"}
    return len(forms) == 2 and forms[1] == ("tuple", forms[0][1]) and forms[0][0] not in builtin


def compare(
    written: Taken, eager: Taken, double: Taken | None, scripted: bool = False
) -> list[Measure]:
    """Compares all items of the three runs, in the order of the written one."""
    w = {i.path: i for i in written.items}
    e = {i.path: i for i in eager.items}
    d = {i.path: i for i in double.items} if double and double.raised is None else {}
    paths = list(dict.fromkeys([*w, *e]))
    if not all(any(p.startswith("grad(") for p in run) for run in (w, e)):
        paths = [p for p in paths if not p.startswith("grad(")]
    if scripted:
        paths = [p for p in paths if not _is_form_of_script(w.get(p), e.get(p))]
    paths = [p for p in paths if not _names_parts(w.get(p), e.get(p))]
    found = (item(w.get(p), e.get(p), d.get(p), p) for p in paths)
    return [m for m in found if m is not None]


def add_noise(measures: list[Measure], eager: Taken, double: Taken, run: Taken) -> None:
    """Raises the noise of each measure to the error of this noise run. An item that noise changes,
    such as the index of the larger of two equal numbers, does not count as different."""
    d = {i.path: i for i in double.items}
    e = {i.path: i for i in eager.items}
    n = {i.path: i for i in run.items}
    for m in measures:
        a, ref = n.get(m.path), d.get(m.path)
        m.n_noise += 1
        is_exact = m.differs == "exact" and a is not None and m.path in e
        if (
            is_exact
            and a.dtype != "generator"
            and (a.data, a.value)
            != (
                e[m.path].data,
                e[m.path].value,
            )
        ):
            m.differs = ""
        if a is None or ref is None:
            continue
        if (
            m.differs == "value"
            and a.kind == TENSOR
            and a.data is not None
            and a.shape == ref.shape
        ):
            m.noise = max(m.noise, relative(_double(a), _double(ref)))
        elif m.differs == "value" and isinstance(a.value, float) and isinstance(ref.value, float):
            m.noise = max(m.noise, relative(np.array([a.value]), np.array([ref.value])))
