"""PyTorch 2.13.0: torch.onnx.export writes indexing by an int32 tensor as GatherND of int32, which the standard does not have: no engine loads the model.

GatherND: indices are int64; PyTorch takes int32 indices too.
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


class Rows(torch.nn.Module):
    def forward(self, x, rows):
        return x[rows]


inputs = (torch.arange(6.0).reshape(3, 2), torch.tensor([0, 2], dtype=torch.int32),)
model = Rows().eval()
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
