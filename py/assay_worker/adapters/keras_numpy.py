"""Keras on NumPy: calls that a program writes for several frameworks."""

import os
from typing import Any

from assay_worker import paired_call
from assay_worker.adapter import Mode, ProgramResult, Unsupported
from assay_worker.function import FunctionRunner
from assay_worker.tensors import Tensor


class Adapter(FunctionRunner):
    backend = "numpy"

    def load(self) -> str:
        os.environ["KERAS_BACKEND"] = self.backend
        os.environ["JAX_PLATFORMS"] = "cpu"  # the backend for NumPy imports JAX too
        import keras
        import numpy

        self.np, self.keras = numpy, keras
        return keras.__version__

    def _read(self, value: Any) -> tuple[Any, str] | None:
        if not self.keras.ops.is_tensor(value):
            return None
        array = self.np.asarray(self.keras.ops.convert_to_numpy(value))
        return array, self.keras.backend.standardize_dtype(value.dtype)

    def run_program(
        self, path: str, entry: str, weights: list[Tensor], mode: Mode
    ) -> ProgramResult:
        if not entry:
            raise Unsupported("a whole program")
        return paired_call.run(path, entry, f"keras-{self.backend}", self._read)
