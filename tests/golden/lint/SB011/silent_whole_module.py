import torch
from torch import nn


def main(is_training):
    net = nn.Linear(4, 2)
    if is_training:
        net(torch.zeros(1, 4))
        torch.save(net.state_dict(), "net.pt")
    else:
        net = torch.load("net.pt")
        hits = 0
        for i in range(3):
            output = net(torch.zeros(1, 4))
            hits += output.argmax().item()
        print(hits)


main(False)
