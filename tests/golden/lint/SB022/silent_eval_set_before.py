import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1))
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x))


def distill(big: Net, small: Net, loader):
    big.eval()
    opt = torch.optim.SGD(small.parameters(), lr=0.1)
    for epoch in range(3):
        small.train()
        for x, y in loader:
            with torch.no_grad():
                wanted = big(x)
            loss = nn.functional.mse_loss(small(x), wanted)
            opt.zero_grad()
            loss.backward()
            opt.step()
