import torch
from torch.utils.data import DataLoader


def fit(model, data):
    loader = DataLoader(data, batch_size=4)  # expect: SB061 low
    optimizer = torch.optim.LBFGS(model.parameters())
    for x, y in loader:

        def closure():
            optimizer.zero_grad()
            loss = ((model(x) - y) ** 2).mean()
            loss.backward()
            return loss

        optimizer.step(closure)
