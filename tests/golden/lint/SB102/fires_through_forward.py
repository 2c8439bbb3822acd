import torch
from torch import nn


class Recommender(nn.Module):
    def __init__(self, users, items, width):
        super().__init__()
        self.users = nn.Embedding(users, width)
        self.items = nn.Embedding(items, width)
        self.loss = nn.BCEWithLogitsLoss()

    def score(self, user, item):
        match = (self.users(user) * self.items(item)).sum(dim=1)
        return torch.sigmoid(match)

    def forward(self, user, item):
        return self.score(user, item)

    def calculate_loss(self, batch):
        output = self.forward(batch["user"], batch["item"])
        return self.loss(output, batch["label"])  # expect: SB102
