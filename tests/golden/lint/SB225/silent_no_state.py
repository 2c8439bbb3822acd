import torch
from torch import nn

model = nn.Linear(4, 2)
loader = [(torch.zeros(1, 4), torch.zeros(1, 2))]
for epoch in range(3):
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
