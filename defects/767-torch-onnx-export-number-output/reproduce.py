"""PyTorch 2.13.0: torch.onnx.export fails on a model that returns a number beside tensors: AttributeError, 'int' object has no attribute 'name'.

torch.export takes the model, and the exporter of TorchScript (dynamo=False) writes it; the new one expects a node for each output.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import onnxscript  # noqa: F401 - the exporter needs it
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


class Scaled(torch.nn.Module):
    def forward(self, x):
        return x * 2, x.shape[0]


x = torch.ones(3, 4)
print("torch", torch.__version__)
print("torch.export gives", torch.export.export(Scaled().eval(), (x,)).module()(x)[1])
try:
    torch.onnx.export(Scaled().eval(), (x,), verbose=False)
except Exception as e:
    print(f"torch.onnx.export: {type(e).__name__}: {e}")
    same = "has no attribute 'name'" not in str(e)
else:
    same = True
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
