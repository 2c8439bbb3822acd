import torch
from torch import nn

from core import fit_epoch


def build():
    return nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 4), nn.Softmax(dim=1))


net = build()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    fit_epoch(net, [], nn.CrossEntropyLoss(), optimizer)  # expect: SB101 low
