"""PyTorch 2.13.0: torch.compile: an attention whose softmax runs over another dim than the last is replaced by one over the last dim.

With equal scores of two queries and three keys, softmax over the queries gives weights of a half and a result of 1.5 for values of 1.
The serialised patterns of attention ignore the dims of amax and sum (_inductor/fx_passes/serialized_patterns). Exits 1 while the defect
is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / 2.0, -2) @ v


inputs = (torch.zeros(1, 1, 2, 4), torch.zeros(1, 1, 3, 4), torch.ones(1, 1, 3, 4),)
plain = model(*(x.clone() for x in inputs))
wanted = torch.full((1, 1, 2, 4), 1.5)
got = plain
if not torch.allclose(got, wanted, atol=1e-3):
    print("without its optimiser it gives", plain)
    sys.exit(2)
got = torch.compile(model)(*(x.clone() for x in inputs))
print("torch", torch.__version__)
print("without its optimiser", plain)
print("with it              ", got)
same = torch.allclose(got, wanted, atol=1e-3)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
