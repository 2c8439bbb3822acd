"""PyTorch 2.13.0: torch.linalg.pinv of a complex matrix is wrong under torch.compile (aot_eager and every back end behind it): a
conjugation is lost.

The document: the pseudoinverse; of the invertible 1j it is 1 / 1j = -1j.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(x):
    return torch.linalg.pinv(x)


inputs = torch.tensor([[1.0, 2j], [0.5j, 3.0]])
wanted = torch.tensor([[0.75, -0.5j], [-0.125j, 0.25]])
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
