"""PyTorch 2.13.0: torch.compile refuses an attention whose mask is a vector (one number for each key): the pattern that fuses it hands the
vector to scaled_dot_product_attention as it is, which asks for two dims: "Dimension out of range".

scores + mask broadcasts a vector over the last dim, and eager gives a result. The pattern (_inductor/fx_passes/fuse_attention.py,
_sfdp_params_check) leaves out masks of no dims only. Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be
checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(q, k, v, mask):
    weights = torch.softmax(q @ k.transpose(-2, -1) / 2.0 + mask, -1)
    return weights @ v


inputs = (torch.zeros(1, 1, 2, 4), torch.zeros(1, 1, 3, 4), torch.tensor([[[[1.0], [3.0], [9.0]]]]), torch.tensor([0.0, 0.0, -1e9]),)
plain = model(*(x.clone() for x in inputs))
wanted = torch.full((1, 1, 2, 1), 2.0)
got = plain
if not torch.allclose(got, wanted, atol=1e-3):
    print("without its optimiser it gives", plain)
    sys.exit(2)
print("torch", torch.__version__)
try:
    got = torch.compile(model)(*(x.clone() for x in inputs))
except Exception as e:
    print("with its optimiser:", str(e).splitlines()[0])
    print("the bug is there")
    sys.exit(1)
same = torch.allclose(got, wanted, atol=1e-3)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
