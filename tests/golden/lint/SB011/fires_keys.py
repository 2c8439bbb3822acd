import torch
from torch import nn


def main():
    model = nn.Linear(8, 3)
    old = torch.load("old.pt")  # expect: SB011
    print(old.keys())
    with torch.no_grad():
        print(model(torch.zeros(1, 8)))
