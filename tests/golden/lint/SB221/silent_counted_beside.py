import torch.nn.functional as F


def evaluate(model, loader):
    total, correct, count = 0.0, 0.0, 0
    for x, y in loader:
        logits = model(x)
        total += F.cross_entropy(logits, y).item() * y.size(0)
        correct += (logits.argmax(dim=1) == y).float().mean().item() * y.size(0)
        count += y.size(0)
    return total / count, correct / count
