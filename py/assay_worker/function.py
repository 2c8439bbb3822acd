"""Emitted programs that are one function over constants: what adapters of such frameworks share."""

from dataclasses import dataclass
from typing import Any

from assay_worker.adapter import Mode, Unsupported
from assay_worker.tensors import NUMPY_NAMES, Tensor

# bfloat16 is ml_dtypes' in NumPy, which frameworks register.
NAMES = {**NUMPY_NAMES, 16: "bfloat16"}
NUMBERS = {name: number for number, name in NAMES.items()}


@dataclass(frozen=True)
class Opened:
    """A model in a mode: one function of the framework, so that it is traced once for each shape."""

    model: Any
    arguments: list[str]


class FunctionRunner:
    """An EmittedRunner but for `load`, which sets np and words and leaves constants to the framework."""

    np: Any = None  # NumPy, as the framework imported it
    words: dict[str, Any] = {}  # what the expression of a mode names, but for the model

    def numpy_dtype(self, name: str) -> Any:
        """The dtype of an array that becomes a constant."""
        raise NotImplementedError

    def constant(self, array: Any) -> Any:
        """A tensor of the framework with the array's dtype, shape and numbers."""
        raise NotImplementedError

    def array(self, value: Any) -> Any:
        """A tensor's numbers for NumPy."""
        return self.np.asarray(value)

    def tensor(self, t: Tensor) -> Any:
        name = NAMES.get(t.dtype)
        if name is None:
            raise Unsupported(f"input {t.name}: no dtype {t.dtype}")
        array = self.np.frombuffer(t.data, self.numpy_dtype(name))
        return self.constant(array.reshape(t.dims))

    def back(self, name: str, value: Any) -> Tensor:
        array = self.array(value)
        number = NUMBERS.get(array.dtype.name)
        if number is None:
            raise Unsupported(f"output {name}: dtype {array.dtype}")
        return Tensor(name, number, list(array.shape), array.tobytes())

    def open_program(
        self, path: str, entry: str, arguments: list[str], weights: list[Tensor], mode: Mode
    ) -> Opened:
        with open(path, encoding="utf-8") as file:
            source = file.read()
        names: dict[str, Any] = {"weights": {w.name: self.tensor(w) for w in weights}}
        exec(compile(source, path, "exec"), names)  # noqa: S102 - the sandbox holds it
        words = {**self.words, "model": names[entry]}
        made = eval(mode.options["open"], words)  # noqa: S307 - of our own description
        return Opened(made, arguments)

    def run(self, opened: Opened, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        by_name = {t.name: t for t in inputs}
        made = opened.model(*(self.tensor(by_name[name]) for name in opened.arguments))
        made = made if isinstance(made, tuple) else (made,)
        return [self.back(name, value) for name, value in zip(outputs, made, strict=True)]
