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


import contextlib


def main():
    model = Net()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    crit = nn.CrossEntropyLoss()
    train_loader = DataLoader(data(), batch_size=8, shuffle=True)
    val_loader = DataLoader(data(), batch_size=8)
    for epoch in range(3):
        for m in (model, crit):
            m.train()
        total = 0.0
        for x, y in train_loader:
            opt.zero_grad()
            out = model(x)
            loss = crit(out, y)
            loss.backward()
            opt.step()
            total += loss.item()
        print(total)
        for m in [model]:
            m.eval()
        correct = 0
        with torch.no_grad():
            for x, y in val_loader:
                correct += (model(x).argmax(1) == y).sum().item()
        print(correct)


if __name__ == "__main__":
    main()
