import torch
import torch.nn.functional as F


def run_epoch(model, loader, criterion, optimizer, train):
    if train:
        model.train()
    else:
        model.eval()
    total, correct, seen = 0.0, 0, 0
    for x, y in loader:
        if True:
            out = model(x)  # expect: SB021
            loss = criterion(out, y)
        if train:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item() * len(y)
        correct += (out.argmax(1) == y).sum().item()
        seen += len(y)
    return total / seen, correct / seen

