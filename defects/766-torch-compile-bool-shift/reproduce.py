"""PyTorch 2.13.0: A compiled function refuses to shift a bool tensor: `mask >> 1` and `mask << 1` run in eager mode and give int64.

The meta functions of __rshift__ and __lshift__ refuse bool; the operators themselves promote it.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def shift(x):
    return (x > 0) >> 1, (x > 0) << 1


x = torch.tensor([1.0, -1.0])
print("torch", torch.__version__)
print("the function", shift(x))
try:
    got = torch.compile(shift, backend="eager")(x)
    print("compiled    ", got)
    same = all(torch.equal(a, b) for a, b in zip(got, shift(x)))
except RuntimeError as e:
    print("compiled    ", type(e).__name__, str(e)[:400])
    same = False
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
