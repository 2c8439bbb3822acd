import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
total = 0.0
for x, y in [(torch.zeros(1, 4), torch.zeros(1, 2))]:
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    total = total + loss
    total.backward()
    optimizer.step()

print(total)
