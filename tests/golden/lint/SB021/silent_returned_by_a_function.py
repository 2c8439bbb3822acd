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


def make_train_step(model, optimizer, criterion):
    def step(x, y):
        model.train()
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()
    return step


def make_eval_step(model, criterion):
    def step(loader):
        model.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in loader:
                total += criterion(model(x), y).item()
        return total / len(loader)
    return step


def main(train_set, val_set):
    train_loader = DataLoader(train_set, batch_size=8, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=8)
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    train_step = make_train_step(model, optimizer, criterion)
    evaluate = make_eval_step(model, criterion)
    for epoch in range(10):
        running = 0.0
        for x, y in train_loader:
            running += train_step(x, y)
        print(epoch, running / len(train_loader), evaluate(val_loader))


main(torch.load("a.pt"), torch.load("b.pt"))
