import torch


class Shifted(torch.nn.Module):
    def forward(self, x, n):
        return torch.bitwise_left_shift(x, n)


torch.onnx.export(Shifted().eval(), (torch.tensor([242], dtype=torch.uint8), torch.tensor([3], dtype=torch.uint8),), verbose=False)
