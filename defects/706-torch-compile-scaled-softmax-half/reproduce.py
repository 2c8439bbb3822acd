"""PyTorch 2.13.0: torch.compile: numbers that are scaled down and converted to half before their maximum is subtracted come out as -inf:
the conversion is made before the scaling, where 70000 overflows.

70, 80 and 75 less their maximum are -10, 0 and -5, also in half. Inductor replaces y - amax(y) of y = (x * s).half() by s * (x.half() -
amax(x.half())) (_inductor/fx_passes/joint_graph.py, mul_softmax_pattern with a dtype), so that x itself must fit half; / alike. Exits 1
while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(x):
    y = (x * 0.001).half()
    return y - y.amax(-1, keepdim=True)


inputs = (torch.tensor([70000.0, 80000.0, 75000.0]),)
plain = model(*(x.clone() for x in inputs))
wanted = torch.tensor([-10.0, 0.0, -5.0], dtype=torch.half)
got = plain
if not torch.allclose(got.float(), wanted.float(), atol=0.1):
    print("without its optimiser it gives", plain)
    sys.exit(2)
got = torch.compile(model)(*(x.clone() for x in inputs))
print("torch", torch.__version__)
print("without its optimiser", plain)
print("with it              ", got)
same = torch.allclose(got.float(), wanted.float(), atol=0.1)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
