import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        return F.avg_pool2d(x, 2, divisor_override=3)


inputs = (torch.full((1, 1, 2, 2), 3.0),)
exported = torch.onnx.export(Net().eval(), inputs, dynamo=True, verbose=False)
print(exported(*inputs))
