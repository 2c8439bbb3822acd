import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


def loss_of(loader, device):
    net, criterion = Net(), nn.CrossEntropyLoss()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            output = net(x)
            output = output.to(device).float()
            total += criterion(output, y).item()
    return total
