import torch
import torch.nn.functional as F


def macro_f1(scores, tags):
    return F.mse_loss(scores, tags)


def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()


def evaluate(model, loader):
    model.eval()
    scores, tags = [], []
    for x, y in loader:
        scores.append(model(x))  # expect: SB021
        tags.append(y)
    return macro_f1(torch.cat(scores), torch.cat(tags))
