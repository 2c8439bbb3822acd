"""PyTorch 2.13.0: torch.compile: max_pool1d of a window of -inf beside the padding returns the index -1, a place in the padding.

The document: indices along with the outputs, as max_unpool takes them; -1 is no place of the input. Eager mode returns the first element
of the window that is in the input.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(x):
    return torch.nn.functional.max_pool1d(x, 3, 1, 1, return_indices=True)[1]


inputs = (torch.full((1, 1, 3), float("-inf")),)
wanted = torch.tensor([[[0, 0, 1]]])
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
