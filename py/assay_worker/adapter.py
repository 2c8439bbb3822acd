"""What an adapter is: a module of assay_worker.adapters with a class Adapter of one of these kinds.

A new process is forked for each batch of cases after `load`, which imports the engine and must not
run any operator: threads that an engine starts do not survive a fork.
"""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from assay_worker.tensors import Tensor


@dataclass(frozen=True)
class Mode:
    name: str
    threads: int
    options: dict[str, Any]
    alone: bool = False  # no other case runs in the process: no kernels are merged
    output_dtypes: tuple[int, ...] = ()  # as the graph declares them; 0: not known


class Unsupported(Exception):
    """The engine lacks a dtype or feature that the case needs."""


@runtime_checkable
class Runner(Protocol):
    """An engine that runs models."""

    def load(self) -> str:
        """Imports the engine and returns its version."""

    def open_model(self, path: str, mode: Mode) -> Any:
        """The model, ready to run."""

    def run(self, opened: Any, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        """The outputs, in order."""


@runtime_checkable
class EmittedRunner(Protocol):
    """A framework that runs graphs which arrive as programs (a description's "emit")."""

    def load(self) -> str:
        """Imports the framework and returns its version."""

    def open_program(
        self, path: str, entry: str, arguments: list[str], weights: list[Tensor], mode: Mode
    ) -> Any:
        """The program's model, ready to run; arguments are its inputs' names, in order."""

    def run(self, opened: Any, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        """The outputs, in order."""


@dataclass(frozen=True)
class Measures:
    """What a compared value differs in ("", value, exact, dtype, shape, structure) and how much.

    error is that of the program as written, base_error that of its eager calls: both against
    float64, relative to the tensor's largest element. noise is what n_noise runs with perturbed
    operators show, excess is in default tolerances of torch.testing, unit the dtype's rounding.
    """

    differs: str
    error: float
    base_error: float
    noise: float
    n_noise: int
    excess: float
    unit: float
    text: str


@dataclass(frozen=True)
class Capture:
    """One output of a program: the call-th call at a call site of a symbol, and which output."""

    symbol: str
    site: int
    call: int
    path: str
    tensor: Tensor
    measures: Measures | None = None  # None: whoever judges compares the tensors


@dataclass(frozen=True)
class ProgramResult:
    captures: list[Capture]
    reached: list[str]
    note: str = ""


@runtime_checkable
class ProgramRunner(Protocol):
    """An engine that runs programs (the capability "program")."""

    def load(self) -> str:
        """Imports the engine and returns its version."""

    def run_program(
        self, path: str, entry: str, weights: list[Tensor], mode: Mode
    ) -> ProgramResult:
        """What the program gives in the mode; raises what it raises."""


@dataclass(frozen=True)
class ProgramJob:
    """A program, and the modes whose results one run of it gives."""

    path: str  # the file to run
    own_path: str  # where its user keeps it, and runs it; "": it is a case of ours
    entry: str
    case: str  # identity: seeds what the program draws
    folder: str  # for files of the worker's own
    modes: list[Mode]


@runtime_checkable
class ProgramModesRunner(Protocol):
    """An engine that gives all program modes in one run (the capability "program")."""

    def load(self) -> str:
        """Imports the engine and returns its version."""

    def run_program_modes(self, job: ProgramJob) -> list[ProgramResult | dict[str, Any]]:
        """A result for each mode, or what describe_failure gives."""


@runtime_checkable
class Converter(Protocol):
    """A tool that makes a model from a model."""

    def load(self) -> str:
        """Imports the tool and returns its version."""

    def convert(self, model: bytes, mode: Mode) -> bytes:
        """The model that the tool makes."""
