from torch import nn


def freeze(net, k):
    for layer in net.encoder.layer[:k]:
        for p in layer.parameters():
            p.requires_grad = False
