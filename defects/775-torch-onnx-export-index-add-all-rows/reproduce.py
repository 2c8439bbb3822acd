"""PyTorch 2.13.0: torch.onnx.export drops the tensor that is added to where constant indices name each row: x.index_add(0, [0, 1], more) becomes more.

onnxscript's rule for ScatterND that replaces all rows does not look at reduction="add".
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


class Added(torch.nn.Module):
    def forward(self, x, more):
        return x.index_add(0, torch.tensor([0, 1]), more)


inputs = (torch.tensor([[1.0, 8.0], [2.0, 3.0]]), torch.ones(2, 2),)
model = Added().eval()
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
