"""Gemm: exception (float)

a valid model is refused: The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0'nThe above operation failed shape propagation in this context:'n  File '<string>', line 3'n'n      def addmm(self: Tensor, mat1: Tensor, mat2: Tensor, beta: number = 1.0, alpha: number = 1.0):'n          return self

Found with torch@2.13.0/freeze by assay 0.1.0, bug d9778e5533, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

import torch
import torch.nn.functional as F


def gemm(a, b, c, alpha, beta, trans_a, trans_b):
    """Gemm."""
    a = a.t() if trans_a else a
    b = b.t() if trans_b else b
    if c is None:
        return torch.mm(a, b) if alpha == 1.0 else alpha * torch.mm(a, b)
    return torch.addmm(c, a, b, beta=beta, alpha=alpha)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("w", torch.tensor([0.0] * 9, dtype=torch.float32).reshape([3, 3]))
        self.register_buffer("w_2", torch.tensor([0.0] * 6, dtype=torch.float32).reshape([2, 3]))

    def forward(self, x):
        Gemm_3 = gemm(x, self.w, self.w_2, 1.0, 1.0, 0, 0)
        return Gemm_3


model = Model()
inputs = (
    torch.tensor([0.0] * 6, dtype=torch.float32).reshape([2, 3]),
)


def outputs(function):
    """Dtype, shape and numbers of each output."""
    torch.manual_seed(0)
    with torch.no_grad():
        made = function(*inputs)
    made = made if isinstance(made, tuple) else (made,)
    return [(str(y.dtype), tuple(y.shape), y.reshape(-1).tolist()) for y in made]


def make():
    """The model in mode freeze."""
    return torch.jit.freeze(torch.jit.trace(model.eval(), inputs))


print("torch", torch.__version__)
try:
    outputs(make())
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
