from torch import nn


def freeze(net, k):
    for layer in net.encoder.layer[:k]:
        layer.requires_grad_(False)
