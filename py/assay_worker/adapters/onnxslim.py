"""OnnxSlim."""

from typing import Any

from assay_worker.adapter import Mode


class Adapter:
    def __init__(self) -> None:
        self.onnx: Any = None
        self.tool: Any = None

    def load(self) -> str:
        import importlib.metadata

        import onnxslim

        import onnx

        self.onnx, self.tool = onnx, onnxslim
        return importlib.metadata.version("onnxslim")

    def convert(self, model: bytes, mode: Mode) -> bytes:
        made = self.tool.slim(self.onnx.load_model_from_string(model), **mode.options)
        if made is None:
            raise RuntimeError("slim returned no model")
        return made.SerializeToString()
