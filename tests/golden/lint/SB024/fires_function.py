import torch
from torch import nn
from torch.nn import functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.fc(self.drop(x))


def fit(loader):
    net = Net()
    opt = torch.optim.Adam(net.parameters())
    net.train()
    for x, y in loader:
        net.eval()
        loss = F.cross_entropy(net(x), y)  # expect: SB024
        opt.zero_grad()
        loss.backward()
        opt.step()
