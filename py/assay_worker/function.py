"""Shared by the adapters of frameworks whose emitted programs are one function over constants."""

from dataclasses import dataclass
from typing import Any

from assay_worker.adapter import Mode, Unsupported, names_of_results, open_in
from assay_worker.tensors import NUMPY_NAMES, Tensor

# NumPy has bfloat16 from ml_dtypes, which frameworks register.
NAMES = {**NUMPY_NAMES, 16: "bfloat16"}
NUMBERS = {name: number for number, name in NAMES.items()}


@dataclass(frozen=True)
class Opened:
    """A model opened in a mode: one function of the framework, traced once per shape."""

    model: Any
    arguments: list[str]
    mode: Mode


class FunctionRunner:
    """An EmittedRunner without `load`, which must set np and words; subclasses convert constants."""

    np: Any = None  # NumPy, as the framework imported it
    words: dict[str, Any] = {}  # names in the expression of a mode, except the model

    def numpy_dtype(self, name: str) -> Any:
        """The NumPy dtype that `name` stands for in constants."""
        raise NotImplementedError

    def constant(self, array: Any) -> Any:
        """The array as a tensor of the framework."""
        raise NotImplementedError

    def array(self, value: Any) -> Any:
        """The tensor as a NumPy array."""
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
        exec(compile(source, path, "exec"), names)  # noqa: S102 - runs in the sandbox
        words = {**self.words, "model": names[entry]}
        return Opened(open_in(mode, words), arguments, mode)

    def run(self, opened: Opened, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        by_name = {t.name: t for t in inputs}
        made = opened.model(*(self.tensor(by_name[name]) for name in opened.arguments))
        made = made if isinstance(made, tuple) else (made,)
        names = names_of_results(opened.mode, outputs, opened.arguments, by_name)
        return [self.back(name, value) for name, value in zip(names, made, strict=True)]
