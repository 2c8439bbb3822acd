"""PyTorch 2.13.0: torch.compile: the dtype given to cumsum of a constant tensor is lost: the sums of 2.5 cast to int64 are 2.5, 5, 7.5 in
float32.

The document of torch.cumsum: the input is cast to dtype before the operation. _inductor/fx_passes/post_grad.py
(pointless_cumsum_replacement) makes an arange of the dtype of the constant.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(x):
    return torch.cumsum(torch.full((4,), 2.5), 0, dtype=torch.int64) + x


inputs = (torch.zeros(4, dtype=torch.int64),)
wanted = torch.tensor([2, 4, 6, 8])
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
