import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.net = nn.Linear(n, 3)

    def forward(self, x):
        return self.net(x)

    @classmethod
    def load(cls, path, device):
        saved = torch.load(path, map_location=device)
        model = cls(saved["n"])
        model.load_state_dict(saved["state"])
        model.to(device)
        return model
