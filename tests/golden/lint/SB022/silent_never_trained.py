import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.fc(self.drop(x))


@torch.no_grad()
def estimate_loss(model, loader):
    losses = []
    for x, y in loader:
        losses.append(nn.functional.cross_entropy(model(x), y).item())
    return sum(losses) / len(losses)


def main(loader, val_loader):
    model = Net()
    model.load_state_dict(torch.load("net.pt"))
    for epoch in range(3):
        print(estimate_loss(model, val_loader))
