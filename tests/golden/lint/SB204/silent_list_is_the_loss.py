import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = []
for x, y in [(torch.zeros(1, 4), torch.zeros(1, 2))]:
    loss = nn.functional.mse_loss(model(x), y)
    losses.append(loss)
    optimizer.zero_grad()
    sum(losses).backward(retain_graph=True)
    optimizer.step()
