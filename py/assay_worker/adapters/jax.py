"""JAX: a graph as an emitted program (a function over constants), operator by operator or compiled; programs call by
call, and calls that a program writes for several frameworks."""

import os
from typing import Any

from assay_worker import paired_call
from assay_worker.adapter import ProgramJob, ProgramResult
from assay_worker.function import FunctionRunner


class Adapter(FunctionRunner):
    def load(self) -> str:
        os.environ["XLA_FLAGS"] = (
            "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        )
        os.environ["JAX_PLATFORMS"] = "cpu"
        import jax
        import numpy

        jax.config.update("jax_enable_x64", True)
        self.np, self.words = numpy, {"jax": jax}
        return jax.__version__

    def numpy_dtype(self, name: str) -> Any:
        return self.words["jax"].numpy.dtype(name)

    def constant(self, array: Any) -> Any:
        return self.words["jax"].numpy.array(array)

    def _read(self, value: Any) -> tuple[Any, str] | None:
        if not isinstance(value, self.words["jax"].Array):
            return None
        return self.np.asarray(value), value.dtype.name

    def run_program_modes(self, job: ProgramJob) -> list[ProgramResult | dict[str, Any]]:
        from assay_worker import interpose_jax, program

        if job.entry:
            return paired_call.run_modes(job, "jax", self._read)
        # As the program's user has it: 32 bits, if nothing else is asked for.
        self.words["jax"].config.update("jax_enable_x64", os.environ.get("JAX_ENABLE_X64") in ("1", "true", "True"))
        return program.run(job, interpose_jax.Interposer)
