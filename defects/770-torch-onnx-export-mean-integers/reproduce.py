"""PyTorch 2.13.0: torch.onnx.export computes the mean of integers by dims in integers and casts the result: mean(1, dtype=torch.float32) of [1, 2, 4] becomes 2.0.

PyTorch casts before the sum, as dtype says; the exported model casts behind ReduceMean. Without dims the cast is in its place.
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


class Mean(torch.nn.Module):
    def forward(self, x):
        return x.mean(1, dtype=torch.float32)


x = torch.tensor([[1, 2, 4], [2, 5, 5]])
model = Mean().eval()
made = torch.onnx.export(model, (x,), verbose=False)
session = onnxruntime.InferenceSession(made.model_proto.SerializeToString())
got = torch.from_numpy(session.run(None, {session.get_inputs()[0].name: x.numpy()})[0])
print("torch", torch.__version__, "onnxruntime", onnxruntime.__version__)
print("the module        ", list(model(x).shape), model(x).tolist())
print("the exported model", list(got.shape), got.tolist())
same = got.shape == model(x).shape and torch.allclose(got, model(x))
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
