"""PyTorch's exporter to ONNX: the module of an emitted program becomes a model."""

import contextlib
import functools
import io
import logging
from typing import Any

from assay_worker.adapter import Unsupported, open_in
from assay_worker.adapters import torch as torch_adapter
from assay_worker.tensors import Tensor


def innermost(e: BaseException) -> BaseException:
    """What the exporter's own message, which is the same for all failures, was raised from.

    A function's signature is left out: its types stand in another order in each process.
    """
    while e.__cause__ is not None:
        e = e.__cause__
    text, signature, _ = str(e).partition(" Signature:")
    return ValueError(text) if signature else e


class Adapter(torch_adapter.Adapter):
    def load(self) -> str:
        version = super().load()
        import torch.onnx
        from torch.onnx._internal.exporter import _registration

        logging.getLogger("torch.onnx").setLevel(logging.ERROR)
        # The table of operators is made anew for each export, which takes most of its time.
        registry = _registration.ONNXRegistry
        registry.from_torchlib = staticmethod(functools.cache(registry.from_torchlib))
        return version

    def export(self, opened: Any, sets: list[list[Tensor]], outputs: list[str]) -> bytes:
        """The model; the first set are the example inputs, `outputs` the names of its results."""
        if any({t.name: t.dims for t in s} != {t.name: t.dims for t in sets[0]} for s in sets):
            raise Unsupported("an exported model is for the shapes of its example inputs")
        if len(set(outputs)) < len(outputs):
            raise Unsupported("an exported model has no output twice")
        by_name = {t.name: t for t in sets[0]}
        values = tuple(self._tensor(by_name[name]) for name in opened.arguments)
        names = {"torch": self.torch, "model": opened.model, "inputs": values}
        with contextlib.redirect_stdout(io.StringIO()), self.torch.no_grad():
            self._refuse_what_eager_refuses(opened.model, values)
            try:
                program = open_in(opened.mode, names)(
                    input_names=opened.arguments, output_names=outputs
                )
            except Exception as e:
                raise innermost(e) from None
        return program.model_proto.SerializeToString()

    def _refuse_what_eager_refuses(self, model: Any, values: tuple[Any, ...]) -> None:
        try:
            model(*values)
        except Exception as e:
            raise Unsupported(f"refused without the exporter: {e}") from e
