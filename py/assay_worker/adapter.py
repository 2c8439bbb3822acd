"""Adapters: a module of assay_worker.adapters with a class Adapter that has one of these interfaces.

A new process is forked for each batch of cases after `load`, which imports the engine and must not
run any operator: threads that an engine starts do not survive a fork.
"""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from assay_worker.tensors import Tensor


FLOATS = (1, 10, 11, 16)  # of TensorProto.DataType


@dataclass(frozen=True)
class Mode:
    name: str
    threads: int
    options: dict[str, Any]
    alone: bool = False  # no other case runs in the process: no kernels are merged
    output_dtypes: tuple[int, ...] = ()  # as the graph declares them; 0: not known
    disabled: tuple[str, ...] = ()  # optimisers of share/optimizers/ that are switched off


def names_of_results(
    mode: Mode, outputs: list[str], arguments: list[str], inputs: dict[str, Tensor]
) -> list[str]:
    """What a call in the mode returns: the outputs, then gradients by each input of floats."""
    if not mode.options.get("gradients"):
        return outputs
    return outputs + [name for name in arguments if inputs[name].dtype in FLOATS]


def open_in(mode: Mode, names: dict[str, Any]) -> Any:
    """The mode's expression over these names and the functions of its prelude; reproducers contain both."""
    exec("\n".join(mode.options.get("prelude", [])), names)  # noqa: S102 - from our own description
    return eval(mode.options["open"], names)  # noqa: S307 - from our own description


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
    """A framework that runs graphs emitted as programs ("emit" in its description)."""

    def load(self) -> str:
        """Imports the framework and returns its version."""

    def open_program(
        self, path: str, entry: str, arguments: list[str], weights: list[Tensor], mode: Mode
    ) -> Any:
        """The program's model, ready to run; arguments: the names of its inputs, in order."""

    def run(self, opened: Any, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        """The outputs, in order."""


@dataclass(frozen=True)
class Measures:
    """In what a compared value differs ("", value, exact, dtype, shape, structure), and how much.

    `error` is that of the program as written, `base_error` that of its eager calls, both against
    float64 and relative to the tensor's largest element. `noise` is the largest error of n_noise
    runs with perturbed operators, `excess` the difference in units of torch.testing's default
    tolerances, `unit` the dtype's rounding unit.
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
    """One output of a program: symbol, call site, number of the call there, and which output."""

    symbol: str
    site: int
    call: int
    path: str
    tensor: Tensor
    measures: Measures | None = None  # None: the judge compares the tensors


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
        """Runs the program in the mode and returns its result; its exceptions pass through."""


@dataclass(frozen=True)
class ProgramJob:
    """A program to run once, and the modes that this run gives results for."""

    path: str  # the file to run
    own_path: str  # the user's own file, in whose folder it runs; "": it is a generated case
    entry: str
    case: str  # identity of the case; seeds the program's generators
    folder: str  # for the worker's own files
    modes: list[Mode]


@runtime_checkable
class ProgramModesRunner(Protocol):
    """An engine that gives all program modes in one run (the capability "program")."""

    def load(self) -> str:
        """Imports the engine and returns its version."""

    def run_program_modes(self, job: ProgramJob) -> list[ProgramResult | dict[str, Any]]:
        """For each mode a result, or a failure as describe_failure returns it."""


@runtime_checkable
class Warmer(Protocol):
    """An engine that a fork server may prepare for programs, so that each child finds its imports and caches made."""

    def warm(self) -> None:
        """Starts no thread and leaves no state that a program could see."""


@runtime_checkable
class Converter(Protocol):
    """A tool that converts models to models."""

    def load(self) -> str:
        """Imports the tool and returns its version."""

    def convert(self, model: bytes, mode: Mode) -> bytes:
        """The converted model."""


@runtime_checkable
class Exporter(Protocol):
    """A framework's exporter: it makes a model of the program that a graph was emitted as."""

    def load(self) -> str:
        """Imports the framework and returns its version."""

    def open_program(
        self, path: str, entry: str, arguments: list[str], weights: list[Tensor], mode: Mode
    ) -> Any:
        """The program's model, ready to be exported; arguments: the names of its inputs, in order."""

    def export(self, opened: Any, sets: list[list[Tensor]], outputs: list[str]) -> bytes:
        """The exported model for these sets of inputs, with these names of outputs."""
