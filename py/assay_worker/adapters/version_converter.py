"""ONNX's own version converter."""

from typing import Any

from assay_worker.adapter import Mode, Unsupported


class Adapter:
    def __init__(self) -> None:
        self.onnx: Any = None
        self.tool: Any = None

    def load(self) -> str:
        import onnx
        from onnx import version_converter

        self.onnx, self.tool = onnx, version_converter
        return onnx.__version__

    def _target(self, model: Any, mode: Mode) -> int:
        now = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)
        to = mode.options.get("to", now + mode.options.get("step", 0))
        if to < 7 or to > self.onnx.defs.onnx_opset_version():
            raise Unsupported(f"from opset {now} to {to}")
        return to

    def convert(self, model: bytes, mode: Mode) -> bytes:
        parsed = self.onnx.load_model_from_string(model)
        made = self.tool.convert_version(parsed, self._target(parsed, mode))
        return made.SerializeToString()
