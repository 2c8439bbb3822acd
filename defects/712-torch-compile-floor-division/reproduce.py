"""PyTorch 2.13.0: torch.compile: // of floats is one too high where the quotient lies just below an integer: 1.0 // 0.1 is 10 instead of
9, 6.0 // 0.1 is 60 instead of 59.

The document of torch.div: rounding_mode="floor" is "equivalent to floor division in Python (the // operator)", whose 1.0 // 0.1 is 9.
Inductor rounds the quotient before it takes the floor (_inductor/lowering.py, div_mode). Exits 1 while the defect is there, 0 when it
is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(seconds):
    return seconds // 0.1


inputs = (torch.tensor([1.0, 2.0, 6.0], dtype=torch.float64),)
plain = model(*(x.clone() for x in inputs))
wanted = torch.tensor([1.0 // 0.1, 2.0 // 0.1, 6.0 // 0.1], dtype=torch.float64)
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
