"""PyTorch 2.13.0: torch.compile: searchsorted and bucketize of a number in a float64 sequence round the number to float32: 0.1 is placed
behind the 0.1 of the sequence.

The document of torch.searchsorted: sorted_sequence[i - 1] < v <= sorted_sequence[i]; 0.1 <= 0.1 holds at index 0. Inductor's
decompositions make the number torch.tensor([0.1]), which is float32 (_inductor/decomposition.py, searchsorted_scalar,
bucketize_scalar). Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(shares):
    return torch.searchsorted(shares, 0.1)


inputs = (torch.tensor([0.1, 0.2, 0.3], dtype=torch.float64),)
plain = model(*(x.clone() for x in inputs))
wanted = torch.tensor(0)
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
