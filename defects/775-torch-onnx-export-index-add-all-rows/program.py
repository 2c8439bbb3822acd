import torch


class Added(torch.nn.Module):
    def forward(self, x, more):
        return x.index_add(0, torch.tensor([0, 1]), more)


torch.onnx.export(Added().eval(), (torch.tensor([[1.0, 8.0], [2.0, 3.0]]), torch.ones(2, 2),), verbose=False)
