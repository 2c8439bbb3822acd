import torch


def attack(model, x, y, criterion):
    best_loss, best_x = 0.0, x
    for _ in range(10):
        z = x + torch.randn_like(x)
        loss = criterion(model(z), y).item()
        if loss > best_loss:
            best_loss = loss
            best_x = z
    return best_x
