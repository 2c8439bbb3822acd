"""The whole training step is one compiled function: forward, backward, clipping by hand, and a fused optimiser step."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(9)
model = nn.Sequential(nn.Linear(10, 20), nn.BatchNorm1d(20), nn.ReLU(), nn.Linear(20, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=torch.tensor(1e-2), capturable=False)
history = []


@torch.compile
def train_step(x, y):
    logits = model(x)
    loss = F.cross_entropy(logits, y)
    loss.backward()
    norm = torch.sqrt(sum(p.grad.pow(2).sum() for p in model.parameters()))
    scale = (1.0 / (norm + 1e-6)).clamp(max=1.0)
    for p in model.parameters():
        p.grad.mul_(scale)
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach(), (logits.argmax(1) == y).float().mean(), norm


for step in range(12):
    x = torch.randn(16, 10)
    y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
    loss, accuracy, norm = train_step(x, y)
    history.append((loss.item(), accuracy.item(), norm.item()))
    print(step, *history[-1])
