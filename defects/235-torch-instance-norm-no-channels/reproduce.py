"""InstanceNormalization: exception (float)

a valid model is refused: select(): index 0 out of range for tensor of size [0] at dimension 0

Found with torch@2.13.0/eager by assay 0.1.0, bug e93ae3f974, severity S3.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

import torch
import torch.nn.functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("w_2", torch.zeros([0], dtype=torch.float32))
        self.register_buffer("w_3", torch.zeros([0], dtype=torch.float32))

    def forward(self, Cast_17):
        InstanceNormalization_5 = F.instance_norm(Cast_17, weight=self.w_2, bias=self.w_3, eps=1e-05)
        return InstanceNormalization_5


model = Model()
inputs = (
    torch.zeros([1, 0, 2], dtype=torch.float32),
)


def outputs(function):
    """Dtype, shape and numbers of each output."""
    torch.manual_seed(0)
    with torch.no_grad():
        made = function(*inputs)
    made = made if isinstance(made, tuple) else (made,)
    return [(str(y.dtype), tuple(y.shape), y.reshape(-1).tolist()) for y in made]


def make():
    """The model in mode eager."""
    return model


print("torch", torch.__version__)
try:
    outputs(make())
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
