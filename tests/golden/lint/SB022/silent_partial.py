import functools
import torch
from torch import nn
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.5))
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        return self.head(self.body(x))


def train_epoch(model, optimizer, criterion, loader):
    model.train()
    running = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        running += loss.item()
    return running / len(loader)


def evaluate(model, criterion, loader):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += criterion(model(x), y).item()
    return total / len(loader)


def main(train_set, val_set):
    train_loader = DataLoader(train_set, batch_size=8, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=8)
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    train = functools.partial(train_epoch, model, optimizer, criterion)
    check = functools.partial(evaluate, model, criterion=criterion)
    for epoch in range(10):
        print(epoch, train(train_loader), check(loader=val_loader))


main(torch.load("a.pt"), torch.load("b.pt"))
