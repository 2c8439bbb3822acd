"""onnx-simplifier."""

from typing import Any

from assay_worker.adapter import Mode


class Adapter:
    def __init__(self) -> None:
        self.onnx: Any = None
        self.tool: Any = None

    def load(self) -> str:
        import importlib.metadata

        import onnxsim

        import onnx

        self.onnx, self.tool = onnx, onnxsim
        return importlib.metadata.version("onnxsim")

    def convert(self, model: bytes, mode: Mode) -> bytes:
        made, _ = self.tool.simplify(self.onnx.load_model_from_string(model), **mode.options)
        return made.SerializeToString()
