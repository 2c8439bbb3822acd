"""PyTorch 2.13.0: NumPy code under torch.compile: np.diff of float32 with a number in front of it or behind it stays float32: the difference of 0 and 0.1 is rounded in its eighth digit where NumPy gives float64.

NumPy makes an array of the number (int64) and joins the arrays, which promotes to float64: np.diff(np.float32([0.5]), prepend=0).dtype is float64. torch.compile says that it gives what NumPy gives.
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
    return torch.from_numpy(np.diff(x.numpy(), prepend=0))


inputs = torch.tensor([0.1, 0.5])
plain = model(inputs.clone())
if plain.dtype != torch.float64:
    print("without its optimiser it gives", plain)
    sys.exit(2)
got = torch.compile(model, backend="eager")(inputs.clone())
print("torch", torch.__version__)
print("without its optimiser", plain)
print("with it              ", got)
same = got.dtype == plain.dtype
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
