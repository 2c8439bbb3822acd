"""TensorFlow: a graph as an emitted program (a function over constants), operator by operator or compiled; programs
call by call, and calls that a program writes for several frameworks."""

import os
from typing import Any

from assay_worker import paired_call
from assay_worker.adapter import ProgramJob, ProgramResult
from assay_worker.function import FunctionRunner


class Adapter(FunctionRunner):
    name = "tensorflow"

    def load(self) -> str:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
        os.environ.setdefault("KERAS_BACKEND", "tensorflow")
        import numpy
        import tensorflow as tf

        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(1)
        self.tf, self.np, self.words = tf, numpy, {"tf": tf}
        return tf.__version__

    def numpy_dtype(self, name: str) -> Any:
        return self.tf.as_dtype(name).as_numpy_dtype

    def constant(self, array: Any) -> Any:
        return self.tf.constant(array)

    def array(self, value: Any) -> Any:
        return self.np.asarray(value.numpy())  # NumPy takes no scalar of bfloat16 from a tensor

    def _read(self, value: Any) -> tuple[Any, str] | None:
        if not isinstance(value, (self.tf.Tensor, self.tf.Variable)):
            return None
        return value.numpy(), value.dtype.name

    def run_program_modes(self, job: ProgramJob) -> list[ProgramResult | dict[str, Any]]:
        from assay_worker import interpose_tensorflow, program

        if job.entry:
            return paired_call.run_modes(job, self.name, self._read)
        if not job.own_path:
            import keras

            keras.utils.set_random_seed(int(job.case[:8] or "0", 16))  # Python's, NumPy's, TensorFlow's and Keras's own
        return program.run(job, interpose_tensorflow.Interposer)
