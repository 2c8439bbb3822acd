"""OpenCV dnn: runs the model file in its classic or its new engine."""

from typing import Any

from assay_worker import arrays
from assay_worker.adapter import Mode
from assay_worker.tensors import Tensor


class Adapter:
    def __init__(self) -> None:
        self.np: Any = None
        self.cv: Any = None

    def load(self) -> str:
        import importlib.metadata

        import cv2
        import numpy

        cv2.setNumThreads(1)
        self.np, self.cv = numpy, cv2
        return importlib.metadata.version("opencv-python-headless")

    def open_model(self, path: str, mode: Mode) -> Any:
        engine = getattr(self.cv.dnn, mode.options["engine"])
        return self.cv.dnn.readNetFromONNX(path, engine), mode

    def run(self, opened: Any, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        net, mode = opened
        for t in inputs:
            net.setInput(arrays.array_of(self.np, t), t.name)
        made = net.forward(outputs)
        declared = mode.output_dtypes or (None,) * len(outputs)
        return [
            arrays.tensor_of(self.np, name, value, dtype)
            for name, value, dtype in zip(outputs, made, declared, strict=True)
        ]
