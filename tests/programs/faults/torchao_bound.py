# expect: half a step
import torch
from torchao.quantization import Int8Tensor, Int8WeightOnlyConfig, quantize_

real = Int8Tensor.from_hp.__func__


def coarse(cls, *args, **options):
    made = real(cls, *args, **options)
    made.scale = made.scale * 1.1
    return made


Int8Tensor.from_hp = classmethod(coarse)
net = torch.nn.Sequential(torch.nn.Linear(8, 4))
quantize_(net, Int8WeightOnlyConfig())
print(net(torch.randn(2, 8)).shape)
