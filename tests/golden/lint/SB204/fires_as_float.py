import torch.nn.functional as F


def train(model, loader, optimizer):
    total_loss = 0.0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total_loss += loss.float()  # expect: SB204
    return total_loss
