"""PyTorch 2.13.0: torch.jit.optimize_for_inference: batch_norm without weights behind a convolution is moved to MKLDNN, which refuses it
when the module is called.

The program is valid; an optimisation that does not take an operator leaves it. The convolution is the identity.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 1, 1, bias=False)
        self.conv.weight.data.fill_(1.0)

    def forward(self, x):
        y = self.conv(x)
        return torch.nn.functional.batch_norm(y, None, None, training=True)


model = Net().eval().requires_grad_(False)


inputs = torch.tensor([[[[1.0, -1.0]]]])
wanted = torch.tensor([[[[0.999995, -0.999995]]]])
plain = model(inputs.clone())
if plain.shape != wanted.shape or not torch.allclose(plain, wanted.to(plain.dtype)):
    print("without its optimiser it gives", plain)
    sys.exit(2)
print("torch", torch.__version__)
print("without its optimiser", plain)
try:
    got = torch.jit.optimize_for_inference(torch.jit.script(model))(inputs.clone())
except Exception as e:
    print(f"raises {type(e).__name__}: {str(e)[:200]}\nthe bug is there")
    sys.exit(1)
print("with it              ", got)
same = got.dtype == plain.dtype and got.shape == plain.shape and torch.allclose(got, plain)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
