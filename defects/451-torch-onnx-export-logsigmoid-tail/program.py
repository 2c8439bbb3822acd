import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        return F.logsigmoid(x)


inputs = (torch.tensor([1.0, -5.0, -200.0]),)
exported = torch.onnx.export(Net().eval(), inputs, dynamo=True, verbose=False)
print(exported(*inputs))
