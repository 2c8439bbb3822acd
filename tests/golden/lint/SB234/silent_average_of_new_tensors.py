import torch
from torch import nn


def update(average, model, decay):
    with torch.no_grad():
        for name, value in model.state_dict().items():
            average[name] = decay * average[name] + (1 - decay) * value


def main(loader):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    average = model.state_dict()
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        update(average, model, 0.99)
    return average
