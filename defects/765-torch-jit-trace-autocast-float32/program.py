import torch


class Power(torch.nn.Module):
    def forward(self, x):
        return torch.pow(x, 2)


with torch.autocast("cpu", dtype=torch.bfloat16):
    torch.jit.trace(Power(), torch.tensor([1.5, 2.5], dtype=torch.bfloat16))
