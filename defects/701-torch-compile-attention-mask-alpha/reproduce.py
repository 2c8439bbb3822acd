"""PyTorch 2.13.0: torch.compile: an attention written by hand is replaced by scaled_dot_product_attention, and alpha of the addition of its
mask is lost.

The document of torch.add: input + alpha * other. Scores are zero, so the weights are softmax([0, -2]) = 0.8808 and 0.1192. The patterns
of _inductor/fx_passes/fuse_attention.py take an addition with alpha for one without, as the pattern of defect 700 does; each has its own
check.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / 2.0
    return torch.add(scores, mask, alpha=2.0).softmax(-1) @ v


inputs = (torch.zeros(1, 1, 2, 4), torch.zeros(1, 1, 2, 4), torch.eye(2, 4).reshape(1, 1, 2, 4), torch.tensor([[0.0, -1.0], [0.0, -1.0]]))
wanted = torch.tensor([0.880797, 0.119203, 0.0, 0.0]).expand(1, 1, 2, 4)
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
