import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.fc(self.drop(x))


def data():
    return TensorDataset(torch.randn(64, 8), torch.randint(0, 4, (64,)))

from types import SimpleNamespace

import contextlib


def build():
    model = Net()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    crit = nn.CrossEntropyLoss()
    return SimpleNamespace(model=model, opt=opt, crit=crit)


def main():
    train_loader = DataLoader(data(), batch_size=8, shuffle=True)
    val_loader = DataLoader(data(), batch_size=8)
    parts = build()
    for epoch in range(3):
        parts.model.train()
        total = 0.0
        for x, y in train_loader:
            parts.opt.zero_grad()
            out = parts.model(x)
            loss = parts.crit(out, y)
            loss.backward()
            parts.opt.step()
            total += loss.item()
        print(total)
        pass
        correct = 0
        with torch.no_grad():
            for x, y in val_loader:
                correct += (parts.model(x).argmax(1) == y).sum().item()  # expect: SB022
        print(correct)


if __name__ == "__main__":
    main()
