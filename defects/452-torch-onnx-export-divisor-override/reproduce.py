"""PyTorch 2.13.0: torch.onnx.export leaves out divisor_override of avg_pool2d: the exported model divides by the size of the window.

torch.nn.AvgPool2d: "divisor_override: if specified, it will be used as divisor, otherwise size of the pooling region will be
used".
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
        return F.avg_pool2d(x, 2, divisor_override=3)


inputs = torch.full((1, 1, 2, 2), 3.0)
wanted = torch.tensor([[[[4.0]]]])
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
