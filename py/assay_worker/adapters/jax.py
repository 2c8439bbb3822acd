"""JAX: a graph as an emitted program (a function over constants), operator by operator or compiled."""

import os
from typing import Any

from assay_worker.adapter import Mode, Unsupported
from assay_worker.tensors import Tensor

# JAX's names of dtypes by numbers of TensorProto.DataType.
NAMES = {
    1: "float32",
    2: "uint8",
    3: "int8",
    4: "uint16",
    5: "int16",
    6: "int32",
    7: "int64",
    9: "bool",
    10: "float16",
    11: "float64",
    12: "uint32",
    13: "uint64",
    16: "bfloat16",
}


class Opened:
    """A model in a mode."""

    def __init__(self, model: Any, arguments: list[str]) -> None:
        self.model, self.arguments = model, arguments


class Adapter:
    def __init__(self) -> None:
        self.jax: Any = None
        self.np: Any = None

    def load(self) -> str:
        os.environ["XLA_FLAGS"] = (
            "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        )
        os.environ["JAX_PLATFORMS"] = "cpu"
        import jax
        import numpy

        jax.config.update("jax_enable_x64", True)
        self.jax, self.np = jax, numpy
        return jax.__version__

    def _array(self, t: Tensor) -> Any:
        name = NAMES.get(t.dtype)
        if name is None:
            raise Unsupported(f"input {t.name}: no dtype {t.dtype}")
        dtype = self.jax.numpy.dtype(name)
        return self.jax.numpy.array(self.np.frombuffer(t.data, dtype).reshape(t.dims))

    def _back(self, name: str, value: Any) -> Tensor:
        array = self.np.asarray(value)
        for number, dtype in NAMES.items():
            if dtype == array.dtype.name:
                data = self.np.ascontiguousarray(array).tobytes()
                return Tensor(name, number, list(array.shape), data)
        raise Unsupported(f"output {name}: dtype {array.dtype}")

    def open_program(
        self, path: str, entry: str, arguments: list[str], weights: list[Tensor], mode: Mode
    ) -> Any:
        with open(path, encoding="utf-8") as file:
            source = file.read()
        names: dict[str, Any] = {"weights": {w.name: self._array(w) for w in weights}}
        exec(compile(source, path, "exec"), names)  # noqa: S102 - the sandbox holds it
        words = {"jax": self.jax, "model": names[entry]}
        made = eval(mode.options["open"], words)  # noqa: S307 - of our own description
        return Opened(made, arguments)

    def run(self, opened: Opened, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        by_name = {t.name: t for t in inputs}
        made = opened.model(*(self._array(by_name[name]) for name in opened.arguments))
        made = made if isinstance(made, tuple) else (made,)
        return [self._back(name, value) for name, value in zip(outputs, made, strict=True)]
