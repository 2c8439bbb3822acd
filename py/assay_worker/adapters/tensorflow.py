"""TensorFlow: a graph as an emitted program (a function over constants), operator by operator or compiled; programs
as written, and with their compiled functions run call by call."""

import os
from typing import Any

from assay_worker.adapter import Capture, Mode, ProgramResult, Unsupported
from assay_worker.tensors import NUMPY_NAMES, Tensor

NUMBERS = {name: number for number, name in NUMPY_NAMES.items() if name}
CAPTURES_MAX = 200
BFLOAT16 = 16


class Opened:
    """A model in a mode; one function of TensorFlow, so that it is traced once for each shape."""

    def __init__(self, model: Any, arguments: list[str]) -> None:
        self.model, self.arguments = model, arguments


class Adapter:
    package = "tensorflow"

    def __init__(self) -> None:
        self.tf: Any = None
        self.np: Any = None
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
        self.tf, self.np = tf, numpy
        return tf.__version__

    def _tensor(self, t: Tensor) -> Any:
        name = "bfloat16" if t.dtype == BFLOAT16 else NUMPY_NAMES.get(t.dtype)
        if name is None:
            raise Unsupported(f"input {t.name}: no dtype {t.dtype}")
        dtype = self.tf.as_dtype(name)
        array = self.np.frombuffer(t.data, dtype.as_numpy_dtype)
        return self.tf.constant(array.reshape(t.dims), dtype)

    def _back(self, name: str, value: Any) -> Tensor:
        array = self.np.asarray(value)
        number = BFLOAT16 if array.dtype.name == "bfloat16" else NUMBERS.get(array.dtype.name)
        if number is None:
            raise Unsupported(f"output {name}: dtype {array.dtype}")
        return Tensor(name, number, list(array.shape), array.tobytes())

    def open_program(
        self, path: str, entry: str, arguments: list[str], weights: list[Tensor], mode: Mode
    ) -> Any:
        with open(path, encoding="utf-8") as file:
            source = file.read()
        names: dict[str, Any] = {"weights": {w.name: self._tensor(w) for w in weights}}
        exec(compile(source, path, "exec"), names)  # noqa: S102 - the sandbox holds it
        words = {"tf": self.tf, "model": names[entry]}
        made = eval(mode.options["open"], words)  # noqa: S307 - of our own description
        return Opened(made, arguments)

    def run(self, opened: Opened, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        by_name = {t.name: t for t in inputs}
        made = opened.model(*(self._tensor(by_name[name]) for name in opened.arguments))
        made = made if isinstance(made, tuple) else (made,)
        return [self._back(name, value) for name, value in zip(outputs, made, strict=True)]

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
            if number is not None and len(self.captures) < CAPTURES_MAX:
                name = f"tf.function#{site}.{call}/{path}"
                data = Tensor(name, number, list(array.shape), array.tobytes())
                self.captures.append(Capture("tf.function", site, call, path, data))

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
        """What calls of tf.function returned; the mode eager runs their functions call by call."""
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
