"""MNN: converts the model file in this process and runs it by the module interface.

Importing MNN.tools installs a package that reports usage, so the converter's extension module is used without
it.
"""

import sys
from typing import Any

from assay_worker import arrays
from assay_worker.adapter import Mode, Unsupported
from assay_worker.tensors import Tensor

BOOL = 9  # in TensorProto.DataType; inside MNN such a tensor is int32


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
        """An input for MNN, which computes int64 as int32; other dtypes are refused."""
        expr = self.mnn.expr
        array = arrays.array_of(self.np, t)
        kinds = {"float32": expr.float, "int32": expr.int, "uint8": expr.uint8}
        array = array.astype("int32") if array.dtype.name == "int64" else array
        if array.dtype.name not in kinds or not array.size:
            raise Unsupported(f"input {t.name}: no dtype {array.dtype}, or an empty tensor")
        made = expr.placeholder(t.dims, expr.NCHW, kinds[array.dtype.name])
        made.write(array)
        return made

    def _back(self, name: str, value: Any, declared: int | None) -> Tensor:
        array = self.mnn.expr.convert(value, self.mnn.expr.NCHW).read()
        if declared == BOOL and array.dtype.kind == "i":
            array = array.astype(bool)
        return arrays.tensor_of(self.np, name, array, declared)

    def run(self, opened: Any, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        path, mode = opened
        nn = self.mnn.nn
        config = {"backend": 0, "precision": mode.options["precision"], "numThread": mode.threads}
        manager = nn.create_runtime_manager((config,))
        names = [t.name for t in inputs]
        declared = mode.output_dtypes or (None,) * len(outputs)
        try:
            module = nn.load_module_from_file(path, names, outputs, runtime_manager=manager)
            made = module.forward([self._variable(t) for t in inputs])
            rows = zip(outputs, made, declared, strict=True)
            return [self._back(name, value, dtype) for name, value, dtype in rows]
        except SystemError as e:
            raise RuntimeError(str(e.__cause__ or e.__context__ or e)) from e
