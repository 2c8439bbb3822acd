import torch


def train(state, loader):
    state["model"].train()
    for x, y in loader:
        state["optimizer"].zero_grad()
        loss = state["criterion"](state["model"](x), y)
        loss.backward()
        state["optimizer"].step()


def evaluate(state, loader):
    right = 0
    with torch.no_grad():
        for x, y in loader:
            right += (state["model"](x).argmax(1) == y).sum().item()
    return right
