import torch
from torch import nn


class Trigger(nn.Module):
    def __init__(self, width, rate=0.0):
        super().__init__()
        layers = [nn.Linear(width, width)]
        if rate > 0:
            layers.append(nn.Dropout(rate))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


def run(batches):
    model = Trigger(4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    model.eval()
    for x, y in batches:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
