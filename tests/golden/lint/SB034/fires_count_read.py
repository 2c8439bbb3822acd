import torch
from torch import nn

model = nn.Linear(4, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def run(loader, args):
    n = args.n % 4
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()  # expect: SB034 low
        if (i + 1) % n == 0:
            optimizer.step()
            optimizer.zero_grad()
