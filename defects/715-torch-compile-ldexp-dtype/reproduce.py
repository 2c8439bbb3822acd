"""PyTorch 2.13.0: torch.compile: ldexp of float32 by float64 exponents gives float32, and ldexp of integers too.

The result of two tensors has their promoted dtype, float64; the document of torch.ldexp: input * 2 ** other. The lowering takes the
dtype of the first one (_inductor/lowering.py, ldexp_lowering). Exits 1 while the defect is there, 0 when it is not, 2 when that cannot
be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(mantissas, exponents):
    return torch.ldexp(mantissas, exponents)


inputs = (torch.tensor([1.0, 3.0]), torch.tensor([0.5, 1.5], dtype=torch.float64))
plain = model(*(x.clone() for x in inputs))
wanted = torch.tensor([1 * 2**0.5, 3 * 2**1.5], dtype=torch.float64)
if not (plain.dtype == wanted.dtype and torch.allclose(plain, wanted, rtol=1e-12, atol=0)):
    print("without its optimiser it gives", plain)
    sys.exit(2)
got = torch.compile(model)(*(x.clone() for x in inputs))
print("torch", torch.__version__)
print("without its optimiser", plain)
print("with it              ", got)
same = got.dtype == wanted.dtype and torch.allclose(got, wanted, rtol=1e-12, atol=0)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
