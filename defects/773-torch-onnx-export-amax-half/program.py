import torch


class Largest(torch.nn.Module):
    def forward(self, x):
        return torch.amax(x, dim=1)


torch.onnx.export(Largest().eval(), (torch.arange(6.0).reshape(2, 3).half(),), verbose=False)
