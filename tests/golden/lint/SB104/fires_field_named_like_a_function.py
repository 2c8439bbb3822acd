import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 5)
        self.log_softmax = nn.Softmax(dim=-1)

    def forward(self, x):
        return self.log_softmax(self.out(x))


net = Net()
loss = nn.functional.nll_loss(net(torch.zeros(2, 8)), torch.zeros(2).long())  # expect: SB104
