"""PyTorch 2.13.0: NumPy code under torch.compile: np.outer refuses a matrix.

NumPy: "Input is flattened if not already 1-dimensional".
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
    return torch.from_numpy(np.outer(x.numpy(), x.numpy()))


inputs = torch.tensor([[1.0], [2.0]])
wanted = torch.tensor([[1.0, 2.0], [2.0, 4.0]])
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
