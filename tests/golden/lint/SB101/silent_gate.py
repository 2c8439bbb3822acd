import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.fc, self.out = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 2)

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        return self.out(gate * self.fc(x))


criterion = nn.CrossEntropyLoss()
