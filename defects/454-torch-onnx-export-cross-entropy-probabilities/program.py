import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        return F.cross_entropy(x, torch.tensor([[0.25, 0.75]]))


inputs = (torch.tensor([[2.0, 0.0]]),)
exported = torch.onnx.export(Net().eval(), inputs, dynamo=True, verbose=False)
print(exported(*inputs))
