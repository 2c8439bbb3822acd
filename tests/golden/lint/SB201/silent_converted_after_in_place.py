import torch


def one_hot(index, count):
    hot = torch.zeros(index.shape[0], count)
    hot.scatter_(1, index.unsqueeze(1), 1).float()
    return hot
