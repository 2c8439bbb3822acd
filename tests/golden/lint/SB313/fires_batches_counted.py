import torch


@torch.no_grad()
def accuracy(model, val_loader):
    right, seen = 0, 0
    for x, label in val_loader:
        right += (model(x).argmax(-1) == label).sum().item()
        seen += 1
    return right / seen  # expect: SB313
