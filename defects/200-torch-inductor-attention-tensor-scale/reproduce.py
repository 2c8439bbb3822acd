"""Transpose+MatMul+Div+Add+Softmax+MatMul: exception (float)

a valid model is refused: backend='inductor' raised:'nRuntimeError: aten::scaled_dot_product_attention() Expected a value of type 'Optional[float]' for argument 'scale' but instead found type 'FakeTensor'.'nPosition: 6'nValue: FakeTensor(..., size=())'nDeclaration: aten::scaled_dot_product_attention(Tensor query, Tensor key, Ten

Found with torch@2.13.0/inductor by assay 0.1.0, bug b1ff354cb2, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

import torch
import torch.nn.functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("w_14", torch.tensor(1.0, dtype=torch.float32))
        self.register_buffer("w_15", torch.tensor([0.0, 0.0, 0.0, 0.0], dtype=torch.float32).reshape([2, 2]))

    def forward(self, Reshape_25, Transpose_19, Transpose_33):
        Transpose_26 = Reshape_25.permute([0, 2, 3, 1])
        MatMul_34 = torch.matmul(Transpose_19, Transpose_26)
        Div_36 = MatMul_34 / self.w_14
        Add_38 = Div_36 + self.w_15
        Softmax_39 = torch.softmax(Add_38, -1)
        MatMul_40 = torch.matmul(Softmax_39, Transpose_33)
        return MatMul_40


model = Model()
inputs = (
    torch.tensor([0.0, 0.0], dtype=torch.float32).reshape([1, 1, 1, 2]),
    torch.tensor([0.0, 0.0, 0.0, 0.0], dtype=torch.float32).reshape([1, 1, 2, 2]),
    torch.tensor([0.0, 0.0], dtype=torch.float32).reshape([1, 1, 2, 1]),
)


def outputs(function):
    """Dtype, shape and numbers of each output."""
    torch.manual_seed(0)
    with torch.no_grad():
        made = function(*inputs)
    made = made if isinstance(made, tuple) else (made,)
    return [(str(y.dtype), tuple(y.shape), y.reshape(-1).tolist()) for y in made]


def make():
    """The model in mode inductor."""
    return torch.compile(model)


print("torch", torch.__version__)
try:
    outputs(make())
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
