"""PyTorch 2.13.0: torch.compile: softmax of scaled integers is wrong where their differences leave the integers' dtype: softmax(codes *
0.1, -1) of int8 codes -100, 100 gives all weight to -100; uint8 and log_softmax alike, and int32 with large numbers.

softmax of the products -10, 10, 0.3 and 5 gives the second one 0.99. Inductor replaces s * x - amax(s * x) by s * (x - amax(x))
(_inductor/fx_passes/joint_graph.py, mul_softmax_pattern, div_softmax_pattern) and subtracts in the dtype of x, where -100 - 100 is 56.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(codes):
    return torch.softmax(codes * 0.1, -1)


inputs = (torch.tensor([-100, 100, 3, 50], dtype=torch.int8),)
plain = model(*(x.clone() for x in inputs))
wanted = torch.softmax(torch.tensor([-10.0, 10.0, 0.3, 5.0]), -1)
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
