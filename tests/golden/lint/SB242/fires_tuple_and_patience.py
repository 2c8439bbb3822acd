import torch
from torch import nn


def fit(model: nn.Module, epochs, patience):
    best, best_state, waited = float("inf"), None, 0
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        optimizer.zero_grad()
        loss = model(torch.zeros(2, 4)).sum()
        loss.backward()
        optimizer.step()
        if loss.item() < best:
            best, best_state, waited = loss.item(), model.state_dict(), 0  # expect: SB242
        else:
            waited += 1
            if waited > patience:
                break
    model.load_state_dict(best_state)
