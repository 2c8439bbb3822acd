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


def evaluate(model, batches):
    model.eval()
    n = 0
    for x, y in batches:
        n += (model(x).argmax(1) == y).sum().item()  # expect: SB021
    return n


def train(model, optimizer, batches, val_batches):
    for epoch in range(3):
        model.train()
        for x, y in batches:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        print(evaluate(model, val_batches))


net = Net()
train(net, torch.optim.SGD(net.parameters(), lr=0.1), [], [])
