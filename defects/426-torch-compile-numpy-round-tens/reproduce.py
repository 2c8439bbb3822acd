"""PyTorch 2.13.0: NumPy code under torch.compile: np.round of integers ignores negative decimals: 15 stays 15 instead of 20.

NumPy: "If decimals is negative, it specifies the number of positions to the left of the decimal point".
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import numpy as np
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(x):
    return torch.from_numpy(np.round(x.numpy(), -1))


inputs = torch.tensor([15, 26, -3])
wanted = torch.tensor([20, 30, 0])
plain = model(inputs.clone())
if plain.shape != wanted.shape or not torch.allclose(plain, wanted.to(plain.dtype)):
    print("without its optimiser it gives", plain)
    sys.exit(2)
print("torch", torch.__version__)
print("without its optimiser", plain)
try:
    got = torch.compile(model, backend="aot_eager")(inputs.clone())
except Exception as e:
    print(f"raises {type(e).__name__}: {str(e)[:200]}\nthe bug is there")
    sys.exit(1)
print("with it              ", got)
same = got.dtype == plain.dtype and got.shape == plain.shape and torch.allclose(got, plain)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
