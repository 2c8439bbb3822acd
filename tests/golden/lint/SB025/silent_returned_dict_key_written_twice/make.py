import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(20, 64)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(64, 5)

    def forward(self, x):
        return self.out(self.drop(torch.relu(self.hidden(x))))


def make():
    net = Net()
    parts = {"epochs": 5}
    parts["net"] = net
    parts["opt"] = torch.optim.Adam(net.parameters())
    parts["opt"] = torch.optim.Adam(Net().parameters())
    return parts
