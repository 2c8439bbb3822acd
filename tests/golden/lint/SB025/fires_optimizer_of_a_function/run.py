import torch
from parts import Encoder, Whole, make_optimizer
from torch import nn


def probe(encoder, loader):
    encoder.eval()
    with torch.no_grad():
        return sum(encoder(x).mean().item() for x, y in loader)


def run(train_loader, val_loader):
    model = Whole(Encoder())
    optimizer = make_optimizer(model, 0.1)
    for epoch in range(3):
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        print(probe(model.encoder, val_loader))  # expect: SB025


class Experiment:
    def __init__(self):
        self.model = Encoder()

    def select_optimizer(self):
        return torch.optim.Adam(self.model.parameters(), lr=1e-3)

    def fit(self, train_loader, val_loader):
        optimizer = self.select_optimizer()
        for epoch in range(3):
            for x, y in train_loader:
                optimizer.zero_grad()
                nn.functional.cross_entropy(self.model(x), y).backward()
                optimizer.step()
            self.model.eval()  # expect: SB025
            with torch.no_grad():
                for x, y in val_loader:
                    print(self.model(x).argmax(1) == y)
