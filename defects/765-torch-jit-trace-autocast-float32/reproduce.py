"""PyTorch 2.13.0: A traced module under CPU autocast gives float32 where the module itself gives bfloat16: pow, exp, log, sum, cumsum, layer_norm, acos.

TorchScript casts by a list of operators of its own, made for CUDA; CPU autocast leaves these operators in their inputs' dtype.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


class Power(torch.nn.Module):
    def forward(self, x):
        return torch.pow(x, 2)


x = torch.tensor([1.5, 2.5], dtype=torch.bfloat16)
with torch.autocast("cpu", dtype=torch.bfloat16):
    plain = Power()(x)
    got = torch.jit.trace(Power(), x)(x)
print("torch", torch.__version__)
print("the module", plain)
print("traced    ", got)
same = got.dtype == plain.dtype
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
