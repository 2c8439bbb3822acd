import torch.nn as nn


def train(model, loader, optimizer, accum_steps):
    criterion = nn.CrossEntropyLoss()
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()  # expect: SB034
        is_last = (i + 1) % accum_steps == 0
        if is_last:
            optimizer.step()
            optimizer.zero_grad()
