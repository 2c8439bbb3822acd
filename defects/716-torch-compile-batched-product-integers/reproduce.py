"""PyTorch 2.13.0: torch.compile: a batched product of integers with one row gives int64 instead of their dtype: a uint8 sum of 300 stays
300 instead of 44; int32 alike, and torch.einsum of such.

The product of two uint8 tensors is uint8, as without torch.compile. Inductor makes a sum of products of it, and torch.sum of integers
is int64 (_inductor/kernel/bmm.py, tuned_bmm). Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(a, b):
    return a @ b


inputs = (torch.tensor([[[100, 200]]], dtype=torch.uint8), torch.ones(1, 2, 2, dtype=torch.uint8))
plain = model(*(x.clone() for x in inputs))
wanted = torch.tensor([[[44, 44]]], dtype=torch.uint8)
if not (plain.dtype == wanted.dtype and torch.equal(plain, wanted)):
    print("without its optimiser it gives", plain)
    sys.exit(2)
got = torch.compile(model)(*(x.clone() for x in inputs))
print("torch", torch.__version__)
print("without its optimiser", plain)
print("with it              ", got)
same = got.dtype == wanted.dtype and torch.equal(got, wanted)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
