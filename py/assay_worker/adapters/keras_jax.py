"""Keras on JAX: programs like JAX's adapter."""

from typing import Any

from assay_worker import paired_call
from assay_worker.adapter import ProgramJob, ProgramResult
from assay_worker.adapters import keras_numpy


class Adapter(keras_numpy.Adapter):
    backend = "jax"

    def run_program_modes(self, job: ProgramJob) -> list[ProgramResult | dict[str, Any]]:
        from assay_worker import interpose_jax, program

        if job.entry:
            return paired_call.run_modes(job, "keras-jax", self._read)
        return program.run(job, interpose_jax.Interposer)
