# expect: 0 3 of 3 optimised calls compared
import torch
from torch import nn
from torch.ao import quantization

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant, self.dequant = quantization.QuantStub(), quantization.DeQuantStub()
        self.conv, self.bn, self.relu = nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU()
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        x = self.relu(self.bn(self.conv(self.quant(x)))).mean((2, 3))
        return self.dequant(self.head(x))


def calibrated(model):
    model.qconfig = quantization.get_default_qconfig("x86")
    fused = quantization.fuse_modules(model.eval(), [["conv", "bn", "relu"]])
    ready = quantization.prepare(fused)
    ready(torch.randn(4, 3, 8, 8))
    return ready


print(quantization.convert(calibrated(Net()))(torch.randn(2, 3, 8, 8)).shape)
model = Net().eval()
model.qconfig = quantization.default_qconfig
quantization.quantize(model, lambda m: m(torch.randn(4, 3, 8, 8)), ())
quantization.quantize_dynamic(Net().eval(), {nn.Linear})
