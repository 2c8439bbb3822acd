import torch


def fit(model, optimizer, criterion, loader):
    seen, total = 0, 0.0
    for epoch in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
            seen += 1
        print(epoch, total / seen)
