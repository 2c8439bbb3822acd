import torch
from torch import nn
from losses import LOSSES
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(8, 3)
    def forward(self, x):
        return self.f(x).softmax(1)
def main(loader, cfg):
    net = Net()
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    criterion = LOSSES[cfg.loss]()
    for epoch in range(cfg.epochs):
        for x, y in loader:
            loss = criterion(net(x), y)  # expect: SB101
            opt.zero_grad()
            loss.backward()
            opt.step()
