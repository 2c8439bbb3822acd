"""OpenVINO: reads the model file by its ONNX frontend and compiles it for the CPU."""

from typing import Any

from assay_worker.adapter import Mode, Unsupported
from assay_worker.tensors import NUMPY_NAMES, Tensor

# OpenVINO's names of element types, by number in TensorProto.DataType.
TYPE_NAMES = {
    1: "f32",
    2: "u8",
    3: "i8",
    4: "u16",
    5: "i16",
    6: "i32",
    7: "i64",
    9: "boolean",
    10: "f16",
    11: "f64",
    12: "u32",
    13: "u64",
    16: "bf16",
    17: "f8e4m3",
    19: "f8e5m2",
    21: "u4",
    22: "i4",
    23: "f4e2m1",
    24: "f8e8m0",
    25: "u2",
}


class Adapter:
    def __init__(self) -> None:
        self.ov: Any = None
        self.np: Any = None
        self.core: Any = None

    def load(self) -> str:
        import sys

        sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # it starts a thread

        import numpy
        import openvino

        self.ov, self.np = openvino, numpy
        return openvino.__version__.split("-")[0]

    def open_model(self, path: str, mode: Mode) -> Any:
        if self.core is None:
            self.core = self.ov.Core()
        properties = dict(mode.options.get("properties", {}))
        properties["INFERENCE_NUM_THREADS"] = str(mode.threads)
        return self.core.compile_model(self.core.read_model(path), "CPU", properties)

    def _tensor(self, t: Tensor) -> Any:
        name = NUMPY_NAMES.get(t.dtype)
        if name is not None and not name.startswith("complex"):
            array = self.np.frombuffer(t.data, dtype=name).reshape(t.dims)
            return self.ov.Tensor(self.np.ascontiguousarray(array).reshape(t.dims))
        kind = getattr(self.ov.Type, TYPE_NAMES.get(t.dtype, ""), None)
        if kind is None:
            raise Unsupported(f"input {t.name}: no element type for dtype {t.dtype}")
        made = self.ov.Tensor(kind, self.ov.Shape(t.dims))
        raw = self.np.frombuffer(t.data, dtype="uint8")
        made.data.view("uint8").reshape(-1)[:] = raw
        return made

    def _back(self, name: str, tensor: Any) -> Tensor:
        kind = tensor.get_element_type().get_type_name()
        for number, type_name in TYPE_NAMES.items():
            if type_name == kind:
                data = self.np.ascontiguousarray(tensor.data).tobytes()
                return Tensor(name, number, [int(d) for d in tensor.shape], data)
        raise Unsupported(f"output {name}: element type {kind}")

    def run(self, opened: Any, inputs: list[Tensor], outputs: list[str]) -> list[Tensor]:
        request = opened.create_infer_request()
        by_name = {t.name: t for t in inputs}
        for i, port in enumerate(opened.inputs):
            # A tensor that is both input and output keeps only the output's name.
            names = {port.node.get_friendly_name(), *port.get_names()}
            found = [by_name[n] for n in names if n in by_name]
            if not found:
                raise Unsupported(f"input {i} of the compiled model has the names {names}")
            request.set_input_tensor(i, self._tensor(found[0]))
        request.infer()
        if len(opened.outputs) == len(outputs):
            made = [request.get_output_tensor(i) for i in range(len(outputs))]
        else:
            made = [request.get_tensor(name) for name in outputs]
        return [self._back(name, t) for name, t in zip(outputs, made, strict=True)]
