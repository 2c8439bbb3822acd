import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.zeros(2).scatter_reduce(0, torch.tensor([0, 0]), x, "mean", include_self=False)


inputs = (torch.tensor([2.0, 4.0]),)
exported = torch.onnx.export(Net().eval(), inputs, dynamo=True, verbose=False)
print(exported(*inputs))
