import torch


def batches(images, labels):
    order = torch.randperm(len(images))
    return images[order], labels[order]
