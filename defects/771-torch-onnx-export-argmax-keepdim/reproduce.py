"""PyTorch 2.13.0: torch.onnx.export loses keepdim of argmax and argmin without dim: the shape is [1] where the module gives [1, 1, 1].

Without dim the exported model reduces a flat tensor, whose kept dimension is one.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import onnxruntime
    import onnxscript  # noqa: F401 - the exporter needs it
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


class Largest(torch.nn.Module):
    def forward(self, x):
        return x.argmax(keepdim=True)


x = torch.arange(18.0).reshape(2, 3, 3)
model = Largest().eval()
made = torch.onnx.export(model, (x,), verbose=False)
session = onnxruntime.InferenceSession(made.model_proto.SerializeToString())
got = torch.from_numpy(session.run(None, {session.get_inputs()[0].name: x.numpy()})[0])
print("torch", torch.__version__, "onnxruntime", onnxruntime.__version__)
print("the module        ", list(model(x).shape), model(x).tolist())
print("the exported model", list(got.shape), got.tolist())
same = got.shape == model(x).shape and torch.allclose(got, model(x))
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
