"""TensorFlow: a graph as an emitted program (a function over constants), operator by operator or compiled; programs
as written, and with their compiled functions run call by call."""

import os
from typing import Any

from assay_worker import paired_call
from assay_worker.adapter import Capture, Mode, ProgramResult
from assay_worker.function import NUMBERS, FunctionRunner
from assay_worker.tensors import NUMPY_NAMES, Tensor

CAPTURES_MAX = 200


class Adapter(FunctionRunner):
    name = "tensorflow"

    def __init__(self) -> None:
        self.tf: Any = None
        self.captures: list[Capture] = []
        self.reached: list[str] = []
        self.n_sites = 0

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

    def _keep(self, value: Any, site: int, call: int, path: str) -> None:
        if isinstance(value, (list, tuple)):
            for i, part in enumerate(value):
                self._keep(part, site, call, f"{path}[{i}]")
            return
        if isinstance(value, (bool, int, float)):  # a compiled function returns it as a tensor
            value = self.tf.convert_to_tensor(value)
        if isinstance(value, (self.tf.Tensor, self.tf.Variable)):
            array = value.numpy()
            number = NUMBERS.get(array.dtype.name)
            if number in NUMPY_NAMES and len(self.captures) < CAPTURES_MAX:
                name = f"tf.function#{site}.{call}/{path}"
                data = Tensor(name, number, list(array.shape), array.tobytes())
                self.captures.append(Capture("tf.function", site, call, path, data))

    def _read(self, value: Any) -> tuple[Any, str] | None:
        if not isinstance(value, (self.tf.Tensor, self.tf.Variable)):
            return None
        return value.numpy(), value.dtype.name

    def _compiled(self, made: Any, site: int) -> Any:
        calls = [0]

        def run(*args: Any, **keys: Any) -> Any:
            result = made(*args, **keys)
            if self.tf.executing_eagerly():
                self.reached.append("tf.function")
                self._keep(result, site, calls[0], "out")
                calls[0] += 1
            return result

        return run

    def _function(self, original: Any) -> Any:
        def function(func: Any = None, **keys: Any) -> Any:
            if func is None:
                return lambda f: function(f, **keys)
            site = self.n_sites
            self.n_sites += 1
            return self._compiled(original(func, **keys), site)

        return function

    def run_program(
        self, path: str, entry: str, weights: list[Tensor], mode: Mode
    ) -> ProgramResult:
        """Returns the results of calls of tf.functions; in the mode eager these run call by call."""
        if entry:
            return paired_call.run(path, entry, self.name, self._read)
        import keras

        tf = self.tf
        original = tf.function
        self.captures, self.reached, self.n_sites = [], [], 0
        tf.config.run_functions_eagerly(bool(mode.options.get("eager")))
        keras.utils.set_random_seed(0)  # Python's, NumPy's, TensorFlow's and Keras's own
        tf.function = self._function(original)
        try:
            with open(path, encoding="utf-8") as file:
                source = file.read()
            exec(compile(source, path, "exec"), {"__name__": "__main__"})  # noqa: S102
        finally:
            tf.function = original
            tf.config.run_functions_eagerly(False)
        return ProgramResult(self.captures, self.reached or ["tensorflow"])
