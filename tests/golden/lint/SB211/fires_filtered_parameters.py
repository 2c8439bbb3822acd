import torch
from torch import nn


def main(model: nn.Module, device):
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(parameters, lr=0.1)
    model.fc = nn.Linear(8, 2).to(device)  # expect: SB211
    for x, y in []:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
