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


class Engine:
    @staticmethod
    def train(net, loader, opt):
        for x, y in loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            opt.step()

    @staticmethod
    def evaluate(net, loader):
        net.eval()
        with torch.no_grad():
            return sum((net(x).argmax(1) == y).sum().item() for x, y in loader)


def main(train_loader, val_loader):
    net = Net()
    opt = torch.optim.Adam(net.parameters())
    for epoch in range(5):
        Engine.train(net, train_loader, opt)
        print(Engine.evaluate(net, val_loader))  # expect: SB025
