"""PyTorch 2.13.0: index_reduce with "prod" of a bfloat16 or float16 tensor of shape (n, 1) fails an internal assertion.

The document of Tensor.index_reduce_: the rows of `source` are reduced into the rows of `self` that the index names.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys
import warnings

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)

warnings.simplefilter("ignore")
index = torch.tensor([0, 0, 2])
wanted = [[4.0], [1.0], [2.0]]


def product(dtype):
    ones, twos = torch.ones(3, 1, dtype=dtype), torch.full((3, 1), 2.0, dtype=dtype)
    return ones.index_reduce(0, index, twos, "prod").tolist()


print("torch", torch.__version__)
print("float32 ", product(torch.float32))
if product(torch.float32) != wanted:
    sys.exit(2)
try:
    got = product(torch.bfloat16)
except RuntimeError as e:
    print("bfloat16", str(e)[:140], "\nthe bug is there")
    sys.exit(1)
print("bfloat16", got)
print("the bug is not there" if got == wanted else "the bug is there")
sys.exit(0 if got == wanted else 1)
