"""PyTorch 2.13.0: torch.onnx.export fails on affine_grid with one row or column: "aot_autograd expected to have an entirely functional graph, but found detach_".

A size of 1 is as legal as any other; with more rows the model is exported.
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


class Grid(torch.nn.Module):
    def forward(self, theta):
        return torch.nn.functional.affine_grid(theta, [1, 2, 1, 3], align_corners=False)


inputs = (torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]),)
model = Grid().eval()
expected = model(*inputs)
print("torch", torch.__version__, "onnxscript", onnxscript.__version__, "onnxruntime", onnxruntime.__version__)
try:
    made = torch.onnx.export(model, inputs, verbose=False)
    session = onnxruntime.InferenceSession(made.model_proto.SerializeToString())
    feeds = {i.name: x.numpy() for i, x in zip(session.get_inputs(), inputs, strict=True)}
    got = torch.from_numpy(session.run(None, feeds)[0])
except Exception as e:
    while e.__cause__ is not None:
        e = e.__cause__
    print(f"{type(e).__name__}: {str(e)[:400]}")
    print("the bug is there")
    sys.exit(1)
print("the module        ", expected.dtype, expected.tolist())
print("the exported model", got.dtype, got.tolist())
same = got.dtype == expected.dtype and torch.equal(got, expected)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
