import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x))


if __name__ == "__main__":
    net = Net()
    net.head = nn.Linear(8, 5)
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    for x, y in [(torch.zeros(1, 8), torch.zeros(1, dtype=torch.long))]:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
