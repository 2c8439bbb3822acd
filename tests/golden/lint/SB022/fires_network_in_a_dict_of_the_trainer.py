import torch
from torch import nn


class Trainer:
    def __init__(self, model, loaders):
        self.nets = {"student": model}
        self.loaders = loaders
        self.optimizer = torch.optim.SGD(self.nets["student"].parameters(), lr=0.1)

    def train(self):
        self.nets["student"].train()
        for x, y in self.loaders["train"]:
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.nets["student"](x), y)
            loss.backward()
            self.optimizer.step()

    @torch.no_grad()
    def validate(self):
        right = 0
        for x, y in self.loaders["val"]:
            out = self.nets["student"](x)  # expect: SB022
            right += (out.argmax(1) == y).sum().item()
        return right

    def fit(self):
        for epoch in range(3):
            self.train()
            print("val accuracy", self.validate())


def main(loaders):
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.2), nn.Linear(8, 2))
    Trainer(model, loaders).fit()
