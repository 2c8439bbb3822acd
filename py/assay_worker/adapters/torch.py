"""PyTorch: a graph as an emitted program (a module with buffers), in each way that users deploy; and programs."""

import warnings
from typing import Any

from assay_worker import inductor
from assay_worker.adapter import (
    Mode,
    ProgramJob,
    ProgramResult,
    Unsupported,
    names_of_results,
    open_in,
)
from assay_worker.tensors import Tensor

# PyTorch's names of dtypes by numbers of TensorProto.DataType.
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
    14: "complex64",
    15: "complex128",
    16: "bfloat16",
    17: "float8_e4m3fn",
    18: "float8_e4m3fnuz",
    19: "float8_e5m2",
    20: "float8_e5m2fnuz",
}


class Opened:
    """A model in a mode; modes that need example inputs prepare it at the first run."""

    def __init__(self, model: Any, arguments: list[str], mode: Mode) -> None:
        self.model, self.arguments, self.mode = model, arguments, mode
        self.ready: Any = None
        self.is_made_for: list[Any] = []  # shapes of the example inputs, where there are some


class Adapter:
    def __init__(self) -> None:
        self.torch: Any = None
        self.numbers: dict[Any, int] = {}
        self.is_settled = self.merge_tried = False
        self.user_threads = 1

    def load(self) -> str:
        import torch
        import torch._dynamo
        import torch._inductor.config  # noqa: F401 - before the fork, not in each child

        from assay_worker import program_torch  # noqa: F401

        self.user_threads = torch.get_num_threads()
        torch.set_num_threads(1)
        warnings.simplefilter("ignore")
        self.torch = torch
        self.numbers = {getattr(torch, n): k for k, n in NAMES.items() if hasattr(torch, n)}
        return torch.__version__.split("+")[0]

    def _tensor(self, t: Tensor) -> Any:
        dtype = getattr(self.torch, NAMES.get(t.dtype, ""), None)
        if dtype is None:
            raise Unsupported(f"input {t.name}: no dtype {t.dtype}")
        if not t.data:
            return self.torch.zeros(t.dims, dtype=dtype)
        return self.torch.frombuffer(bytearray(t.data), dtype=dtype).reshape(t.dims)

    def _back(self, name: str, value: Any) -> Tensor:
        if not isinstance(value, self.torch.Tensor):
            raise TypeError(f"output {name}: a {type(value).__name__} instead of a tensor")
        number = self.numbers.get(value.dtype)
        if number is None:
            raise Unsupported(f"output {name}: dtype {value.dtype}")
        # A copy: of one element, contiguous() keeps a stride that view() does not take.
        flat = self.torch.empty(value.numel(), dtype=value.dtype)
        flat.copy_(value.detach().reshape(-1))
        data = bytes(flat.view(self.torch.uint8).numpy()) if flat.numel() else b""
        return Tensor(name, number, list(value.shape), data)

    def _read(self, value: Any) -> tuple[Any, str] | None:
        if not isinstance(value, self.torch.Tensor):
            return None
        value = value.detach().resolve_conj().resolve_neg()
        name = str(value.dtype).removeprefix("torch.")
        return (value.float() if name == "bfloat16" else value).numpy(), name

    def open_program(
        self, path: str, entry: str, arguments: list[str], weights: list[Tensor], mode: Mode
    ) -> Any:
        with open(path, encoding="utf-8") as file:
            source = file.read()
        names: dict[str, Any] = {"weights": {w.name: self._tensor(w) for w in weights}}
        exec(compile(source, path, "exec"), names)  # noqa: S102 - runs in the sandbox
        return Opened(names[entry](), arguments, mode)

    def _settle_compiler(self, merges: bool) -> None:
        """For a child: drops compiled code of earlier cases, and merges kernels if `merges`."""
        if not self.is_settled:
            self.is_settled = True
            inductor.settle(self.torch)
        self.torch._dynamo.reset()
        if merges and not self.merge_tried:
            self.merge_tried = True
            inductor.install(self.torch)
            self.torch._dynamo.reset()

    def _prepare(self, opened: Opened, inputs: tuple[Any, ...]) -> Any:
        """Applies the expression of the mode to the model."""
        if "compile" in opened.mode.options["open"]:
            self._settle_compiler(bool(opened.mode.options.get("merges")) and not opened.mode.alone)
        names = {"torch": self.torch, "model": opened.model, "inputs": inputs}
        return open_in(opened.mode, names)

    def run(self, opened: Opened, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        by_name = {t.name: t for t in inputs}
        values = tuple(self._tensor(by_name[name]) for name in opened.arguments)
        self.torch.manual_seed(0)
        with self.torch.no_grad():
            shapes = [v.shape for v in values]
            if opened.ready is None or (opened.is_made_for and opened.is_made_for != shapes):
                opened.ready = self._prepare(opened, values)
                if "inputs" in opened.mode.options["open"]:
                    opened.is_made_for = shapes
            with inductor.settings(self.torch, opened.mode.disabled):
                made = opened.ready(*values)
        names = names_of_results(opened.mode, outputs, opened.arguments, by_name)
        made = [made] if len(names) == 1 and not isinstance(made, (tuple, list)) else made
        return [self._back(name, value) for name, value in zip(names, made, strict=True)]

    def warm(self) -> None:
        from assay_worker import program_torch

        program_torch.warm()

    def run_program_modes(self, job: ProgramJob) -> list[ProgramResult | dict[str, Any]]:
        from assay_worker import paired_call, program_torch

        if not job.entry:
            return program_torch.run(job, self.user_threads)
        return paired_call.run_modes(job, "torch", self._read)
