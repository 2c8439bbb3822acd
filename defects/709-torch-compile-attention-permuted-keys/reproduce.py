"""PyTorch 2.13.0: torch.compile: an attention whose keys are permuted in more than their last two dims is replaced by one with the last
two dims exchanged.

With permute(1, 0, 3, 2) the queries of batch 0 and head 1 meet the keys of batch 1 and head 0. The pattern takes any permute for
key.transpose(-2, -1) (_inductor/fx_passes/fuse_attention.py). Exits 1 while the defect is there, 0 when it is not, 2 when that cannot
be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(tokens):
    heads = tokens[:, :2]
    return torch.softmax(heads @ heads.permute(1, 0, 3, 2) * 0.5, -1) @ heads


tokens = torch.linspace(-40, 60, 96).sin().reshape(2, 3, 4, 4)
inputs = (tokens,)
plain = model(*(x.clone() for x in inputs))
wanted = model(*(x.double() for x in inputs)).float()
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
