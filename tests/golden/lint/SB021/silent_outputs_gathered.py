import torch
import torch.nn.functional as F


def macro_f1(scores, tags):
    return F.mse_loss(scores, tags)


def evaluate(model, loader):
    model.eval()
    scores, tags = [], []
    with torch.no_grad():
        for x, y in loader:
            scores.append(model(x))
            tags.append(y)
    return macro_f1(torch.cat(scores), torch.cat(tags))
