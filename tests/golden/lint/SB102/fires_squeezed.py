import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(8, 1), nn.Sigmoid())

    def forward(self, x):
        return torch.flatten(self.main(x).unsqueeze(2), 1).squeeze(1)


critic = Critic()
loss = nn.BCEWithLogitsLoss()
for real in [torch.randn(4, 8)]:
    loss(critic(real), torch.ones(4)).backward()  # expect: SB102
