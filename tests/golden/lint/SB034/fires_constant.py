import torch
from torch import nn

STEPS = 3
model = nn.Linear(4, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def run(loader):
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()  # expect: SB034 medium
        if (i + 1) % STEPS == 0:
            optimizer.step()
            optimizer.zero_grad()
