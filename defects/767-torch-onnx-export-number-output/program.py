import torch


class Scaled(torch.nn.Module):
    def forward(self, x):
        return x * 2, x.shape[0]


torch.onnx.export(Scaled().eval(), (torch.ones(3, 4),), verbose=False)
