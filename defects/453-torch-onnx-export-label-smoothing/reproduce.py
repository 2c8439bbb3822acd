"""PyTorch 2.13.0: torch.onnx.export leaves out label_smoothing of cross_entropy: the exported loss is that without smoothing.

torch.nn.CrossEntropyLoss: label_smoothing "Specifies the amount of smoothing when computing the loss, where 0.0 means no
smoothing".
ONNX Runtime runs the model without its optimiser. Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import onnxruntime
    import onnxscript  # noqa: F401 - the exporter needs it
    import torch
    import torch.nn.functional as F
except ImportError as e:
    print(f"cannot be checked here: the environment lacks {e.name}")
    sys.exit(2)


class Net(torch.nn.Module):
    def forward(self, x):
        return F.cross_entropy(x, torch.tensor([1]), label_smoothing=0.5)


inputs = torch.tensor([[2.0, 0.0]])
wanted = torch.tensor(1.626928)
plain = Net()(inputs)
if plain.shape != wanted.shape or not torch.allclose(plain, wanted, atol=1e-6):
    print("in eager it gives", plain)
    sys.exit(2)
exported = torch.onnx.export(Net().eval(), (inputs,), dynamo=True, verbose=False)
options = onnxruntime.SessionOptions()
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
print("torch", torch.__version__, "onnxscript", onnxscript.__version__)
print("eager   ", plain)
try:
    model = exported.model_proto.SerializeToString()
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    (got,) = session.run(None, {session.get_inputs()[0].name: inputs.numpy()})
except Exception as e:
    print(f"exported: {type(e).__name__}: {str(e)[:200]}\nthe bug is there")
    sys.exit(1)
print("exported", got)
same = got.shape == tuple(plain.shape) and torch.allclose(torch.from_numpy(got), plain, atol=1e-5)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
