import torch
from torch import nn
from torch.autograd import Variable


def train(loader):
    model, criterion = nn.Linear(4, 2), nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        part = Variable(criterion(output.detach().cpu(), y), requires_grad=True)  # expect: SB051
        loss = part + 0.1
        loss.backward()
        optimizer.step()
