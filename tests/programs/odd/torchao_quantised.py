# expect: 0 5 of 5 optimised calls compared
import torch
from torch import nn
from torchao import quantization
from torchao.quantization import quantize_

torch.manual_seed(0)


def make(config):
    net = nn.Sequential(nn.Linear(16, 12), nn.ReLU(), nn.Linear(12, 4)).eval()
    quantize_(net, config)
    return net


with torch.no_grad():
    for config in (quantization.Int8WeightOnlyConfig(), quantization.Int8DynamicActivationInt8WeightConfig(), quantization.Float8WeightOnlyConfig()):
        net = make(config)
    fast = torch.compile(make(quantization.Int8WeightOnlyConfig()), backend="aot_eager")
    print(fast(torch.randn(3, 16)).shape)
