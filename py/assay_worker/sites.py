"""Where a program calls optimisers, how often, and which of the calls are compared.

What puts itself between a framework and a program is a subclass of Sites.
"""

import os
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from assay_worker.measure import Measure

COMPARED = frozenset({1, 2, 3}) | {d * 10**k for d in (1, 2, 5) for k in range(9) if d * 10**k >= 5}
FORMS_MAX = 32


@dataclass(frozen=True)
class Limits:
    """How much is compared: seconds and calls in all."""

    seconds: float = 60.0
    calls: int = 100
    stop_after: int = 0  # compared calls after which the program ends; 0: it runs to its end


@dataclass
class Site:
    """A place of the program where an optimiser is called."""

    symbol: str
    number: int
    place: str
    backend: str = ""
    n_calls: int = 0
    forms: set[Any] = field(default_factory=set)


@dataclass
class Compared:
    """One compared call and what its runs showed."""

    site: Site
    call: int
    folder: str
    found: dict[str, Any] | None


@dataclass
class Checked:
    """A call that was checked against the promises of its optimiser."""

    site: Site
    call: int
    measures: list[Measure]


class Stop(SystemExit):
    """Ends the program when enough calls were compared."""


class Sites:
    def __init__(self, program: str, folder: str, limits: Limits, as_eager: bool = False) -> None:
        self.program, self.folder, self.limits = program, folder, limits
        self.as_eager = as_eager  # the optimisers are left out
        self.sites: dict[tuple[str, str], Site] = {}
        self.compared: list[Compared] = []
        self.checked: list[Checked] = []
        self.n_reached = 0  # calls of optimised objects
        self.n_entered = 0  # calls of optimisers
        self.spent = 0.0
        self.depth = 0
        self.pid = os.getpid()
        self.notes: dict[str, int] = {}

    def install(self) -> None:
        """Replaces the optimisers. The program sees their own objects."""
        raise NotImplementedError

    def note(self, text: str) -> None:
        self.notes[text] = self.notes.get(text, 0) + 1

    def site(self, symbol: str, backend: str = "") -> Site:
        """The call site of an optimiser that is called now."""
        self.n_entered += not self.depth
        frame: Any = sys._getframe(1)
        while frame and frame.f_code.co_filename != self.program and frame.f_back:
            frame = frame.f_back
        place = f"line {frame.f_lineno}"
        key = (symbol, place)
        if key not in self.sites:
            number = sum(1 for s, _ in self.sites if s == symbol)
            self.sites[key] = Site(symbol, number, place, backend)
        return self.sites[key]

    def is_due(self, site: Site, form: Any) -> bool:
        """Counts a call of the site; is it one that is compared? form: what a recompilation depends on."""
        self.n_reached += 1
        site.n_calls += 1
        is_new = form not in site.forms and len(site.forms) < FORMS_MAX
        site.forms.add(form)
        if self.spent > self.limits.seconds or len(self.compared) >= self.limits.calls:
            self.note("over budget")
            return False
        if threading.current_thread() is not threading.main_thread():
            self.note("called in another thread")
            return False
        return is_new or site.n_calls in COMPARED

    def folder_of_next(self) -> str:
        """The folder of the call that is compared now."""
        return os.path.join(self.folder, f"c{len(self.compared)}")

    def add(self, site: Site, found: dict[str, Any] | None, folder: str, began: float) -> None:
        """Keeps what a compared call showed. began: by time.monotonic, without the program's own time."""
        self.spent += time.monotonic() - began
        self.compared.append(Compared(site, site.n_calls, folder, found))
        if self.limits.stop_after and len(self.compared) >= self.limits.stop_after:
            raise Stop(0)
