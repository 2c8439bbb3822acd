"""PyTorch 2.13.0: torch.compile: a sum that is kept in 8 bits (x.sum(dtype=torch.uint8), int8 too) counts ones that are not there: 64
zeros have the sum 192.

The sum of zeros is 0. The vectorised kernel loads a few bytes at a time into a wider vector, whose tail is filled with ones
(ATen/cpu/vec/vec256/vec256_int.h, loadu), and sums the tail too. Exits 1 while the defect is there, 0 when it is not, 2 when that
cannot be checked.
"""

import os
import sys

os.environ["ATEN_CPU_CAPABILITY"] = "avx2"  # vectors of 512 bits have no such tail

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(codes):
    return codes.sum(dtype=torch.uint8)


inputs = (torch.zeros(64, dtype=torch.uint8),)
plain = model(*(x.clone() for x in inputs))
wanted = torch.tensor(0, dtype=torch.uint8)
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
