import torch
from torch import nn


class Stopper:
    def __init__(self, patience):
        self.patience, self.best, self.waited = patience, None, 0

    def __call__(self, value, model):
        if self.best is None or value < self.best:
            self.best, self.waited = value, 0
            torch.save(model.state_dict(), "best.pt")
        else:
            self.waited += 1
        model.train()
        return self.waited > self.patience


def fit(loader, held_out):
    model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(), nn.Linear(4, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    stopper = Stopper(3)
    model.train()
    for epoch in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            value = sum(nn.functional.cross_entropy(model(x), y).item() for x, y in held_out)
        if stopper(value, model):
            break
