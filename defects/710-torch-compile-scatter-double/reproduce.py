"""PyTorch 2.13.0: torch.compile: numbers scattered into a constant float64 tensor are rounded to float32: the smoothed labels
torch.full((3, 4), 0.1, dtype=torch.float64).scatter(1, labels, 0.7) are 0.10000000149 and 0.69999998808.

The tensor is float64, where 0.1 and 0.7 are exact to 16 digits. Inductor replaces scatter of a number into a full tensor by
torch.where(mask, 0.7, 0.1).to(dtype), which is float32 before the conversion (_inductor/fx_passes/joint_graph.py,
scatter_upon_const_tensor). Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(labels):
    return torch.full((3, 4), 0.1, dtype=torch.float64).scatter(1, labels, 0.7)


inputs = (torch.tensor([[1], [0], [3]]),)
plain = model(*(x.clone() for x in inputs))
wanted = torch.tensor([[0.1, 0.7, 0.1, 0.1], [0.7, 0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.7]], dtype=torch.float64)
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
