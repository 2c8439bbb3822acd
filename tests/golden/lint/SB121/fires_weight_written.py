import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in [(torch.zeros(1, 4), torch.zeros(1, 2))]:
    loss = nn.functional.mse_loss(model(x), y)
    model.weight.data.mul_(0.9)  # expect: SB121
    model.bias.data = torch.zeros(2)  # expect: SB121
    loss.backward()
    optimizer.step()
