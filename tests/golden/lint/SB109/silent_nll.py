import torch.nn.functional as F


def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.nll_loss(model(x).log_softmax(dim=1), y)
        loss = loss + F.nll_loss(F.log_softmax(model(x), -1), y)
        loss = loss + F.nll_loss(model(x)[0].log_softmax(dim=0), y[0])
        loss.backward()
        optimizer.step()
