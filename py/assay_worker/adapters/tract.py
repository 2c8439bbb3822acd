"""tract: optimises the model file and runs it on the CPU."""

from typing import Any

from assay_worker import arrays
from assay_worker.adapter import Mode
from assay_worker.tensors import Tensor


class Adapter:
    def __init__(self) -> None:
        self.np: Any = None
        self.tract: Any = None

    def load(self) -> str:
        import importlib.metadata

        import numpy
        import tract

        self.np, self.tract = numpy, tract
        return importlib.metadata.version("tract")

    def open_model(self, path: str, mode: Mode) -> Any:
        loaded = self.tract.onnx().load(path)
        names = [loaded.input_name(i) for i in range(loaded.input_count())]
        return loaded.into_model().into_runnable(), names

    def run(self, opened: Any, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        runnable, names = opened
        by_name = {t.name: arrays.array_of(self.np, t) for t in inputs}
        made = runnable.run([by_name[name] for name in names])
        return [
            arrays.tensor_of(self.np, name, value.to_numpy())
            for name, value in zip(outputs, made, strict=True)
        ]
