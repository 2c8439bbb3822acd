"""Judges one compared call by its runs: as written, without its optimiser, in float64, with noise.

Who makes the runs differs: torch forks (snapshot.py), what JAX and TensorFlow have traced is
interpreted (traced.py).
"""

import os
from dataclasses import asdict
from typing import Any, Protocol

from assay_worker import errors, measure
from assay_worker.taken import Taken

# A value that is chaotic in a seventh of the runs with noise passes 24 of them once in forty times, 8 once in three.
N_NOISE_FIRST, N_NOISE = 3, 24


class Runs(Protocol):
    """The runs of one call without its optimiser, each from the state before the call."""

    redraws: bool  # the optimiser may draw other random numbers
    scripted: bool  # a sequence of tensors is a list or a plain tuple behind the optimiser

    def eager(self) -> Taken | None:
        """Operator by operator; None, here and below: it gave no answer."""

    def double(self) -> Taken | None:
        """In float64, with the operators that ran."""

    def noise(self, seed: int) -> Taken | None:
        """Operator by operator, each with its inputs moved by their rounding unit."""

    def accepts_unused(self) -> bool:
        """Is the call accepted when all that nothing uses is left out, and nothing else is optimised?"""


class Judgement:
    """Compares the runs of one call."""

    def __init__(self, runs: Runs, folder: str) -> None:
        self.runs, self.folder = runs, folder

    def _noise(
        self,
        found: list[measure.Measure],
        eager: Taken,
        wide: Taken,
        first: int,
        last: int,
    ) -> None:
        for seed in range(first, last):
            run = self.runs.noise(seed)
            if run and run.raised is None:
                measure.add_noise(found, eager, wide, run)

    def values(
        self, written: Taken, eager: Taken, wide: Taken | None
    ) -> list[measure.Measure]:
        found = measure.compare(written, eager, wide, self.runs.scripted)
        if wide and (wide.singular or self.runs.redraws and wide.draws):
            for m in found:
                m.differs = "" if m.differs in ("value", "exact") else m.differs
        if wide is None or not any(m.differs and m.may() for m in found):
            return found
        again = self.runs.eager()
        if again and again.raised is None:
            steady = {i.path: i for i in eager.items}
            same = {i.path for i in again.items if steady.get(i.path) == i}
            for m in found:  # items that a second eager run does not repeat do not count
                if m.path not in same and m.path in steady:
                    m.differs = ""
        self._noise(found, eager, wide, 0, N_NOISE_FIRST)
        if any(m.differs and m.may() for m in found):
            self._noise(found, eager, wide, N_NOISE_FIRST, N_NOISE)
        return found

    def make(self, written: Taken) -> dict[str, Any]:
        eager = self.runs.eager()
        if eager is None:
            return {"lost": "eager"}
        answer: dict[str, Any] = {"written": written.raised, "eager": eager.raised}
        if written.raised or eager.raised:
            if written.raised and eager.raised:
                answer["related"] = errors.related(written.raised, eager.raised)
            elif eager.raised:
                answer["unused"] = self.runs.accepts_unused()
            return answer
        wide = self.runs.double()
        answer["no_double"] = (
            None if wide and not wide.raised else (wide.raised if wide else "lost")
        )
        answer["operators"] = wide.operators if wide else []
        answer["redrawn"] = bool(self.runs.redraws and wide and wide.draws)
        answer["singular"] = bool(wide and wide.singular)
        found = self.values(written, eager, wide)
        answer["measures"] = [asdict(m) for m in found]
        self._keep(found, written, eager, wide)
        return answer

    def _keep(self, found: list[measure.Measure], *runs: Taken | None) -> None:
        """Saves the items that differ, from all three runs, to be shown."""
        wanted = {m.path for m in found if m.differs and m.may()} or {m.path for m in found[:4]}
        for name, run in zip(("written", "eager", "double"), runs, strict=True):
            kept = Taken([i for i in run.items if i.path in wanted] if run else [])
            kept.save(os.path.join(self.folder, f"kept-{name}"))
