import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        return self.fc(x)


criterion = nn.CrossEntropyLoss()
loss = criterion(Net()(torch.zeros(2, 4)), torch.zeros(2, dtype=torch.long))
