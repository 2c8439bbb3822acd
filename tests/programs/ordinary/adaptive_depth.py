"""A loop whose length depends on the data, and a branch on a tensor: the compiled function has graph breaks."""

import torch
from torch import nn


class Solver(nn.Module):
    def __init__(self):
        super().__init__()
        self.step_size = nn.Parameter(torch.tensor(0.2))
        self.net = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 5))
        self.n_steps = 0

    def forward(self, x):
        h = torch.zeros_like(x)
        for i in range(12):
            new = h + self.step_size * (self.net(h + x) - h)
            self.n_steps += 1
            if (new - h).abs().max() < 0.05:
                break
            h = new
        if h.mean() > 0:
            return h, i
        return h * 0.5, i


torch.manual_seed(8)
model = Solver()
fast = torch.compile(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(8):
    x = torch.randn(4, 5)
    out, depth = fast(x)
    loss = (out - x.flip(1)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, depth, model.n_steps, loss.item())
