"""MNN: the model file through its converter, in this process, and run by its module interface.

MNN.tools installs a package that reports usage when it is imported: the converter's extension module is used
without it.
"""

import sys
from typing import Any

from assay_worker import arrays
from assay_worker.adapter import Mode, Unsupported
from assay_worker.tensors import Tensor


class Adapter:
    def __init__(self) -> None:
        self.np: Any = None
        self.mnn: Any = None
        self.convert_file: Any = None

    def load(self) -> str:
        import importlib.metadata

        import numpy

        sys.modules["MNN.tools"] = None  # type: ignore[assignment]
        import _tools
        import MNN.expr
        import MNN.nn

        self.np, self.mnn, self.convert_file = numpy, MNN, _tools.mnnconvert
        return importlib.metadata.version("mnn")

    def open_model(self, path: str, mode: Mode) -> Any:
        made = path + ".mnn"
        words = ["MNNConvert", "-f", "ONNX", "--modelFile", path, "--MNNModel", made]
        if not self.convert_file([*words, "--bizCode", "assay"]):
            raise Unsupported("the converter does not support the model")
        return made, mode

    def _variable(self, t: Tensor) -> Any:
        expr = self.mnn.expr
        array = arrays.array_of(self.np, t)
        kinds = {"float32": expr.float, "int32": expr.int, "int64": expr.int64, "uint8": expr.uint8, "int8": expr.int8}
        if array.dtype.name not in kinds:
            raise Unsupported(f"input {t.name}: no dtype {array.dtype}")
        made = expr.placeholder(t.dims, expr.NCHW, kinds[array.dtype.name])
        made.write(array)
        return made

    def run(self, opened: Any, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        path, mode = opened
        nn, expr = self.mnn.nn, self.mnn.expr
        config = {"backend": 0, "precision": mode.options["precision"], "numThread": mode.threads}
        manager = nn.create_runtime_manager((config,))
        names = [t.name for t in inputs]
        module = nn.load_module_from_file(path, names, outputs, runtime_manager=manager)
        made = module.forward([self._variable(t) for t in inputs])
        declared = mode.output_dtypes or (None,) * len(outputs)
        return [
            arrays.tensor_of(self.np, name, expr.convert(value, expr.NCHW).read(), dtype)
            for name, value, dtype in zip(outputs, made, declared, strict=True)
        ]
