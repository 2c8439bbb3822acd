import torch
from torch import nn


class Trainer:
    def __init__(self, model, loaders, lr):
        optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        self.state = {"model": model, "optimizer": optimizer, "epoch": 0}
        self.loaders = loaders

    def train_epoch(self):
        model, optimizer = self.state["model"], self.state["optimizer"]
        model.train()
        for x, y in self.loaders["train"]:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        self.state["epoch"] += 1

    @torch.no_grad()
    def validate(self):
        model = self.state["model"]
        model.eval()
        right = 0
        for x, y in self.loaders["val"]:
            right += (model(x).argmax(1) == y).sum().item()
        return right

    def fit(self):
        for epoch in range(3):
            self.train_epoch()
            print("val accuracy", self.validate())


def main(loaders):
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.2), nn.Linear(8, 2))
    Trainer(model, loaders, 0.1).fit()
