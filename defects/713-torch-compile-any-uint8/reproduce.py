"""PyTorch 2.13.0: torch.compile: torch.any of uint8 gives bool, so that arithmetic on it changes: torch.any(x) * 200 + 100 is 300 instead
of 44.

The document of torch.any: "For uint8 the dtype of output is uint8 itself". Inductor's lowering converts to bool
(_inductor/lowering.py, reduce_any); torch.all is right. Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be
checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(codes):
    return torch.any(codes) * 200 + 100


inputs = (torch.tensor([0, 3], dtype=torch.uint8),)
plain = model(*(x.clone() for x in inputs))
wanted = torch.tensor(44, dtype=torch.uint8)
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
