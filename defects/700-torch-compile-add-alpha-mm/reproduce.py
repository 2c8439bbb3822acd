"""PyTorch 2.13.0: torch.compile: alpha of an addition of a matrix product is lost: torch.add(t, a @ b, alpha=0.5) gives t + a @ b, and
t.add_(a @ b, alpha=0.1) of a moving average in training leaves a wrong buffer.

The document of torch.add: input + alpha * other. With the identity for a and zeros for t the result is half of b. Inductor replaces add
of mm by addmm (_inductor/fx_passes/post_grad.py, addmm) by a pattern that takes a node with further keyword arguments and drops them.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(total, a, b):
    return torch.add(total, a @ b, alpha=0.5)


inputs = (torch.zeros(2, 2), torch.eye(2), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
plain = model(*(x.clone() for x in inputs))
wanted = torch.tensor([[0.5, 1.0], [1.5, 2.0]])
if not torch.allclose(plain, wanted):
    print("without its optimiser it gives", plain)
    sys.exit(2)
got = torch.compile(model)(*(x.clone() for x in inputs))
print("torch", torch.__version__)
print("without its optimiser", plain)
print("with it              ", got)
same = torch.allclose(got, wanted)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
