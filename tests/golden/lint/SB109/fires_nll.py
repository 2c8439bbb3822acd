import torch.nn.functional as F


def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        logits = model(x)
        loss = F.nll_loss(F.log_softmax(logits, dim=0), y)  # expect: SB109
        loss.backward()
        optimizer.step()


def again(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.nll_loss(model(x).log_softmax(dim=0), y)  # expect: SB109
        loss.backward()
        optimizer.step()
