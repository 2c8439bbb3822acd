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


class Unsupported(Exception):
    """The engine lacks a dtype or feature that the case needs."""


@runtime_checkable
class Runner(Protocol):
    """An engine that runs models."""

    def load(self) -> str:
        """Imports the engine; its version."""

    def open_model(self, path: str, mode: Mode) -> Any:
        """The model, ready to run."""

    def run(self, opened: Any, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        """The outputs, in order."""


@runtime_checkable
class Converter(Protocol):
    """A tool that makes a model from a model."""

    def load(self) -> str:
        """Imports the tool; its version."""

    def convert(self, model: bytes, mode: Mode) -> bytes:
        """The model that the tool makes."""
