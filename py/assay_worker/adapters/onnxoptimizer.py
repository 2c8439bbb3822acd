"""ONNX optimizer: its default set of passes, or single passes."""

from typing import Any

from assay_worker.adapter import Mode


class Adapter:
    def __init__(self) -> None:
        self.onnx: Any = None
        self.tool: Any = None

    def load(self) -> str:
        import importlib.metadata

        import onnxoptimizer

        import onnx

        self.onnx, self.tool = onnx, onnxoptimizer
        return importlib.metadata.version("onnxoptimizer")

    def convert(self, model: bytes, mode: Mode) -> bytes:
        passes = mode.options.get("passes")
        made = self.tool.optimize(
            self.onnx.load_model_from_string(model),
            passes,
            fixed_point=bool(mode.options.get("fixed_point", False)),
        )
        return made.SerializeToString()
