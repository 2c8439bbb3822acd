from net import Net, data
import torch
from torch import nn
from torch.utils.data import DataLoader
from engine import train_epoch, evaluate


def build():
    model = Net()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    crit = nn.CrossEntropyLoss()
    return {"model": model, "opt": opt, "crit": crit}


def main():
    train_loader = DataLoader(data(), batch_size=8, shuffle=True)
    val_loader = DataLoader(data(), batch_size=8)
    parts = build()
    for epoch in range(3):
        print(train_epoch(parts, train_loader))
        print(evaluate(parts, val_loader))


if __name__ == "__main__":
    main()
