import torch
from torch import nn
from torch.nn import functional as F

class Net2(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        x = self.fc(x)
        return torch.sigmoid(x)


net = Net2()
criterion = nn.BCEWithLogitsLoss()
loss = criterion(net(torch.zeros(2, 4)), torch.zeros(2, 1))  # expect: SB102
