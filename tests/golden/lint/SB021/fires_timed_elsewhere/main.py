from timing import named, timed
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(20, 64)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(64, 5)

    def forward(self, x):
        return self.out(self.drop(torch.relu(self.hidden(x))))


@timed
def train(net, loader, opt):
    net.train()
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()


@timed
@named("evaluate")
def evaluate(net, loader):
    net.eval()
    hits = 0
    for x, y in loader:
        hits += (net(x).argmax(1) == y).sum().item()  # expect: SB021
    return hits


def main(train_loader, val_loader):
    net = Net()
    opt = torch.optim.Adam(net.parameters())
    for epoch in range(5):
        train(net, train_loader, opt)
        print(evaluate(net, val_loader))
