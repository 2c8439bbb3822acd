import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1))
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x))


def run_epoch(net, loader, opt=None):
    training = opt is not None
    net.train(training)
    total = 0.0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            loss = nn.functional.cross_entropy(net(x), y)
            if training:
                opt.zero_grad()
                loss.backward()
                opt.step()
            total += loss.item()
    return total / len(loader)


def main(train, dev):
    net = Net()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(5):
        print(run_epoch(net, train, opt), run_epoch(net, dev))
