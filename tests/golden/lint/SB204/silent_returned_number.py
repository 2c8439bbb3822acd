import torch.nn.functional as F


def train_step(model, x, y, optimizer):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def train(model, loader, optimizer):
    history = []
    for x, y in loader:
        history.append(train_step(model, x, y, optimizer))
    return history
