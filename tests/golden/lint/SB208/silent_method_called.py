import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.out = nn.Embedding(10, 4), nn.Linear(4, 2)


def main():
    net = Net()
    net.embed.requires_grad_(False)
    for p in net.out.parameters():
        p.requires_grad_(False)
