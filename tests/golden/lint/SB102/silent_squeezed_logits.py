import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Sequential(nn.Linear(8, 8), nn.Sigmoid())
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(x * self.gate(x)).squeeze(1)


critic = Critic()
loss = nn.BCEWithLogitsLoss()
for real in [torch.randn(4, 8)]:
    loss(critic(real), torch.ones(4)).backward()
