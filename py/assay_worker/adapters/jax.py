"""JAX: a graph as an emitted program (a function over constants), operator by operator or compiled."""

import os
from typing import Any

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
