import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x))


def main(loader):
    accelerator = Accelerator()
    model = Net()
    optimizer = torch.optim.Adam([{"params": model.body.parameters(), "lr": 1e-4}, {"params": model.head.parameters()}])
    model, loader = accelerator.prepare(model, loader)  # expect: SB224
    for x, y in loader:
        accelerator.backward(F.cross_entropy(model(x), y))
        optimizer.step()
        optimizer.zero_grad()
