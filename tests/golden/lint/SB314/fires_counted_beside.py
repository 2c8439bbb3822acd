import torch.nn.functional as F


def evaluate(model, loader):
    total_loss, seen = 0.0, 0
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        total_loss += loss.item()
        seen += y.size(0)
    return total_loss / seen  # expect: SB314
