import torch


def finish(network, x, path):
    network.eval()
    network(x)
    torch.save(network, path)  # expect: SB041 low
