import argparse

import torch
import torch.nn.functional as F
from torch import nn, optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.norm = nn.BatchNorm2d(8)
        self.fc = nn.Linear(8 * 26 * 26, 10)

    def forward(self, x):
        return self.fc(F.relu(self.norm(self.conv(x))).flatten(1))


def train(model, loader, optimizer):
    for data, target in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(data), target)
        loss.backward()
        optimizer.step()


def test(model: nn.Module, loader):
    loss, correct = 0.0, 0
    for data, target in loader:
        output = model(data)  # expect: SB023
        loss += F.cross_entropy(output, target, reduction="sum").item()
        correct += output.argmax(dim=1).eq(target).sum().item()
    print(loss, correct)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=14)
    args = parser.parse_args()
    model = Net()
    optimizer = optim.Adadelta(model.parameters())
    for _ in range(args.epochs):
        train(model, [], optimizer)
        test(model, [])


if __name__ == "__main__":
    main()
