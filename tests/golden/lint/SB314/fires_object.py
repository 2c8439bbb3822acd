import torch.nn as nn


def train(model, train_loader, optimizer):
    criterion = nn.CrossEntropyLoss()
    running = 0.0
    for x, y in train_loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item()
    print(running / len(train_loader.dataset))  # expect: SB314
