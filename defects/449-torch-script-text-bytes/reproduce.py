"""PyTorch 2.13.0: TorchScript: len and indices of a text count bytes of UTF-8: 6 for a word of five letters, one of them outside of
ASCII.

Python: a str is a sequence of code points.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(x):
    return x * len("h\u00e9llo")


inputs = torch.tensor([1])
wanted = torch.tensor([5])
plain = model(inputs.clone())
if plain.shape != wanted.shape or not torch.allclose(plain, wanted.to(plain.dtype)):
    print("without its optimiser it gives", plain)
    sys.exit(2)
print("torch", torch.__version__)
print("without its optimiser", plain)
try:
    got = torch.jit.script(model)(inputs.clone())
except Exception as e:
    print(f"raises {type(e).__name__}: {str(e)[:200]}\nthe bug is there")
    sys.exit(1)
print("with it              ", got)
same = got.dtype == plain.dtype and got.shape == plain.shape and torch.allclose(got, plain)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
