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
    backbone = Net()
    head = nn.Linear(2, 2)
    head.train()
    backbone.eval()
    opt = torch.optim.SGD(head.parameters(), lr=0.1)
    for x, y in loader:
        opt.zero_grad()
        F.cross_entropy(head(backbone(x)), y).backward()
        opt.step()
