import torch
from torch import nn


class PriceNet(nn.Module):
    def __init__(self, n_in, hidden=(64, 32), p=0.1):
        super().__init__()
        sizes = [n_in, *hidden]
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Linear(a, b), nn.ReLU(), nn.Dropout(p)) for a, b in zip(sizes, sizes[1:])
        )
        self.out = nn.Linear(sizes[-1], 1)
        self.log_scale = nn.Parameter(torch.zeros(1))
        self.apply(self._init)

    @staticmethod
    def _init(m):
        if isinstance(m, nn.Linear):
            nn.init.kaiming_normal_(m.weight, nonlinearity="relu")
            nn.init.zeros_(m.bias)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.out(x).squeeze(-1) * self.log_scale.exp()
