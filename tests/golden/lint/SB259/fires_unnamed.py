import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 1)

    def forward(self, x):
        return self.fc(x).squeeze(1)


def main(loader):
    model = Net()
    optimizer = torch.optim.Adam(model.parameters())
    right = 0
    for x, y in loader:
        out = model(x)
        loss = F.binary_cross_entropy_with_logits(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        right += ((out > 0.5) == y).sum().item()  # expect: SB259
    return right
