import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return torch.relu(self.fc(x))


net = Net()
y = net(torch.zeros(3, 4))
first = torch.tensor(y[0])  # expect: SB217
rest = torch.tensor(nn.Linear(2, 2)(y)[1:])  # expect: SB217
