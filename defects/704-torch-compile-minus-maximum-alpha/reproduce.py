"""PyTorch 2.13.0: torch.compile: alpha of a subtraction of the maximum of scaled values is lost (x * 3 and x / 3 alike).

The document of torch.sub: input - alpha * other. Scaled values are 0 and 3, their maximum is 3. _inductor/fx_passes/joint_graph.py
(mul_softmax_pattern, div_softmax_pattern) takes the subtraction for the one of a softmax, whatever its alpha.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(x):
    scaled = x * 3.0
    return torch.sub(scaled, scaled.amax(-1, keepdim=True), alpha=2)


inputs = (torch.tensor([[0.0, 1.0]]),)
wanted = torch.tensor([[-6.0, -3.0]])
plain = model(*(x.clone() for x in inputs))
if plain.dtype != wanted.dtype or not torch.allclose(plain, wanted, atol=1e-4):
    print("without its optimiser it gives", plain)
    sys.exit(2)
got = torch.compile(model)(*(x.clone() for x in inputs))
print("torch", torch.__version__)
print("without its optimiser", plain, plain.dtype)
print("with it              ", got, got.dtype)
same = got.dtype == wanted.dtype and torch.allclose(got, wanted, atol=1e-4)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
