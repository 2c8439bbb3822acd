import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(20, 64)
        self.drop = nn.Dropout(0.3)
        self.b = nn.Linear(64, 5)

    def forward(self, x):
        return self.b(self.drop(F.relu(self.a(x))))


def loaders():
    data = TensorDataset(torch.randn(512, 20), torch.randint(0, 5, (512,)))
    train_set, val_set = random_split(data, [400, 112])
    return DataLoader(train_set, batch_size=32, shuffle=True), DataLoader(val_set, batch_size=64)

from make import make

@torch.no_grad()
def accuracy(net, loader):
    net.eval()
    hits = total = 0
    for x, y in loader:
        hits += (net(x).argmax(1) == y).sum().item()
        total += len(y)
    return hits / total


def main():
    train_loader, val_loader = loaders()
    net = Net()
    opt, sched = make(net)
    pass
    for epoch in range(5):
        net.train()
        for x, y in train_loader:
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(accuracy(net, val_loader))

if __name__ == "__main__":
    main()
